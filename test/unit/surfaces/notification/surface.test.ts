import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaks, reset, seen } from '../../../fakes/vscode.ts';
import { commandRequest, TestDesk } from '../review/samples.ts';
import type { ApprovalRequest } from '../../../../src/core/approval/request.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { NotificationSurface } = await import('../../../../src/surfaces/notification/surface.ts');

const hidden = (): number => seen.executed.filter((call) => call.id === 'notifications.hideToasts').length;

describe('NotificationSurface', () => {
  let desk: TestDesk;
  let shown: ApprovalRequest[];
  let surface: InstanceType<typeof NotificationSurface>;
  const open = (request: ApprovalRequest): void => { desk.waiting.set(request.id, request); surface.open(request); };
  const pass = (ms: number): void => { desk.time += ms; vi.advanceTimersByTime(ms); };

  beforeEach(() => {
    vi.useFakeTimers();
    reset();
    desk = new TestDesk();
    shown = [];
    surface = new NotificationSurface(desk, (request) => shown.push(request));
    desk.onAnswered = (id) => surface.close(id);
  });
  afterEach(() => {
    surface.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(leaks()).toEqual([]);
    vi.useRealTimers();
  });

  it.each([['Approve', 'approve', 'once'], ['Approve for Session', 'approve', 'session'], ['Deny', 'deny', 'once']] as const)('answers %s', async (title, choice, scope) => {
    open(commandRequest('a', 'npm test', { offerSession: true }));
    pass(0);
    desk.time += 600;
    await seen.messages[0]?.pick(title);
    expect(desk.answers).toMatchObject([{ requestId: 'a', fingerprint: 'fp-a', choice, scope, surface: 'notification' }]);
    expect(hidden()).toBe(0);
  });

  it('takes a closed toast for no answer', async () => {
    open(commandRequest('a'));
    pass(0);
    desk.time += 600;
    await seen.messages[0]?.pick(undefined);
    expect(desk.answers).toEqual([]);
  });

  it('rings again after a click within half a second', async () => {
    open(commandRequest('a'));
    pass(0);
    desk.time += 499;
    await seen.messages[0]?.pick('Approve');
    expect(desk.answers).toEqual([]);
    pass(1_000);
    expect(seen.messages).toHaveLength(2);
    desk.time += 500;
    await seen.messages[1]?.pick('Approve');
    expect(desk.answers).toHaveLength(1);
  });

  it('rings once for what opens together, and again only when the number grows', () => {
    for (const id of ['a', 'b', 'c']) open(commandRequest(id));
    pass(0);
    expect(seen.messages.map((toast) => toast.message)).toEqual(['3 requests wait for you.']);
    surface.close('a');
    pass(5_000);
    expect(seen.messages).toHaveLength(1);
    open(commandRequest('d'));
    pass(1_000);
    expect(seen.messages).toHaveLength(2);
  });

  it('stays under the rate at which the editor hides toasts', () => {
    for (let index = 0; index < 20; index += 1) {
      open(commandRequest(`r${index}`));
      pass(100);
    }
    expect(seen.messages.length).toBeLessThanOrEqual(3);
    pass(1_000);
    expect(seen.messages.at(-1)?.message).toBe('20 requests wait for you.');
  });

  it('hides a toast whose request was answered elsewhere, and a late click says so', async () => {
    open(commandRequest('a'));
    pass(0);
    desk.time += 600;
    desk.answer({ requestId: 'a', fingerprint: 'fp-a', choice: 'deny', scope: 'once', reason: undefined, edits: undefined, surface: 'tree' });
    expect(hidden()).toBe(1);
    await seen.messages[0]?.pick('Approve');
    expect(desk.answers).toHaveLength(1);
    expect(seen.messages[1]?.message).toContain('already answered');
  });

  it('rings again for what still waits when hiding took its toast too', () => {
    open(commandRequest('a'));
    pass(0);
    pass(2_000);
    open(commandRequest('b'));
    pass(1_000);
    expect(seen.messages.map((toast) => toast.items[0]?.title)).toEqual(['Review…', 'Review…']);
    surface.close('a');
    expect(hidden()).toBe(1);
    pass(1_000);
    expect(seen.messages[2]?.message).toMatch(/^Run "npm test" in sample\?.* #b$/);
  });

  it('leaves the toasts alone when ours can no longer be in view', () => {
    open(commandRequest('a'));
    pass(0);
    pass(60_000);
    surface.close('a');
    expect(hidden()).toBe(0);
  });

  it('reviews the first that waits, and says when none does', async () => {
    open(commandRequest('a'));
    open(commandRequest('b'));
    pass(0);
    await seen.messages[0]?.pick('Review…');
    expect(shown.map((request) => request.id)).toEqual(['a']);
    open(commandRequest('c'));
    pass(1_000);
    for (const id of ['a', 'b', 'c']) surface.close(id);
    await seen.messages[1]?.pick('Review…');
    expect(seen.messages.at(-1)?.message).toBe('No request waits any more.');
  });

  it('does nothing after dispose', async () => {
    open(commandRequest('a'));
    pass(0);
    desk.time += 600;
    surface.dispose();
    await seen.messages[0]?.pick('Approve');
    surface.open(commandRequest('b'));
    surface.close('b');
    expect(desk.answers).toEqual([]);
    expect(hidden()).toBe(1);
  });
});
