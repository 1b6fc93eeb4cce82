import { describe, expect, it, vi } from 'vitest';
import { leaks, reset, seen } from '../../../fakes/vscode.ts';
import { statusLook, type StatusState } from '../../../../src/surfaces/status-bar/look.ts';
import { commandRequest } from '../review/samples.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { StatusBarSurface } = await import('../../../../src/surfaces/status-bar/surface.ts');

const state: StatusState = { profile: 'coding', sandbox: 'confined', detail: 'Commands write only inside the workspace.' };

describe('statusLook', () => {
  it('says profile and sandbox in words', () => {
    expect(statusLook(state, 0).text).toBe('$(shield) coding · confined');
    expect(statusLook({ ...state, sandbox: 'unconfined' }, 0).text).toBe('$(warning) coding · commands unconfined');
    expect(statusLook(state, 0).label).toBe('Sluice: profile coding, confined');
  });
  it('says first that something waits', () => {
    expect(statusLook(state, 2)).toMatchObject({ text: '$(bell-dot) 2 waiting', label: 'Sluice: 2 requests wait for you', attention: true });
    expect(statusLook(state, 1).label).toBe('Sluice: 1 request waits for you');
  });
});

describe('StatusBarSurface', () => {
  it('turns to the waiting colour and back, and leads to the first request', () => {
    reset();
    const bar = new StatusBarSurface();
    bar.setState(state);
    bar.open(commandRequest('a'));
    expect(seen.statusItems[0]).toMatchObject({ text: '$(bell-dot) 1 waiting', command: 'sluice.approvals.showNext', backgroundColor: { id: 'statusBarItem.warningBackground' } });
    bar.close('never');
    bar.close('a');
    expect(seen.statusItems[0]).toMatchObject({ text: '$(shield) coding · confined', backgroundColor: undefined });
    bar.dispose();
    expect(leaks()).toEqual([]);
  });
});
