import { beforeEach, describe, expect, it, vi } from 'vitest';
import { frontTab, leaks, reset, seen, settle, Uri } from '../../../fakes/vscode.ts';
import { fits, oneLiner, placeAndState } from '../../../../src/surfaces/review/fits.ts';
import { ourUris, placeFor, requestKeysOf } from '../../../../src/surfaces/review/tabs.ts';
import { commandRequest, TestDesk, writeRequest } from './samples.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { RequestPage, pageAddress, pageText } = await import('../../../../src/surfaces/review/page.ts');
const { openNativeSurfaces, withEdits } = await import('../../../../src/surfaces/index.ts');
const { attempt } = await import('../../../../src/surfaces/review/context.ts');

beforeEach(() => reset());

describe('RequestPage', () => {
  it('shows everything, whatever its length, and opens only when asked', async () => {
    const desk = new TestDesk();
    const page = new RequestPage(desk);
    const request = commandRequest('c', `echo ${'x'.repeat(20_000)}; touch pwned`, { offerSession: true });
    page.open(request);
    await settle();
    expect(seen.shownDocuments).toEqual([]);
    page.show(request);
    await settle();
    expect(seen.shownDocuments).toMatchObject([{ uri: { scheme: 'sluice-request', authority: 'c.session', path: '/Run a command' } }]);
    expect(pageText(request)).toContain(`${'x'.repeat(20_000)}; touch pwned`);
    page.close('never');
    page.dispose();
    expect(leaks()).toEqual([]);
  });

  it('closes its tab when the request ends, and opens nothing afterwards', async () => {
    const desk = new TestDesk();
    const page = new RequestPage(desk);
    const request = commandRequest('c');
    page.open(request);
    const tab = frontTab({ uri: Uri.from(pageAddress(request)) });
    page.show(request);
    page.close('c');
    await settle();
    expect(seen.closedTabs).toEqual([tab]);
    expect(seen.shownDocuments).toEqual([]);
  });
});

describe('one line', () => {
  it('names the request, line ends drawn', () => {
    expect(oneLiner(commandRequest('c'))).toBe('Run npm test');
    expect(oneLiner(commandRequest('c', 'a\nb'))).toBe('Run a ↵ b');
    expect(oneLiner(writeRequest('w'))).toBe('Change src/date.js (+1 -1)');
  });
  it('splits where from how', () => {
    expect(placeAndState('in sample · confined · no network')).toEqual({ place: 'in sample', state: 'Confined, no network.' });
    expect(placeAndState('in sample')).toEqual({ place: 'in sample', state: '' });
  });
  it('fits up to the limit and not beyond', () => {
    expect(fits(commandRequest('c', 'x'.repeat(80)), 80)).toBe(true);
    expect(fits(commandRequest('c', 'x'.repeat(81)), 80)).toBe(false);
  });
});

describe('tabs', () => {
  const ours = { modified: new Uri('sluice-proposed', 'w.1-of-1', '/a.js') };
  const group = (viewColumn: number, ...inputs: unknown[]): never => {
    const made = { viewColumn, isActive: false, tabs: [] as unknown[], activeTab: undefined as unknown };
    made.tabs = inputs.map((input) => ({ input, group: made }));
    made.activeTab = made.tabs.at(-1);
    return made as never;
  };
  it('reads the request off every kind of tab', () => {
    for (const input of [ours, { uri: new Uri('sluice-request', 'w.once', '/x') }, { textDiffs: [ours, ours] }]) {
      expect([...requestKeysOf({ input } as never)]).toEqual(['w']);
    }
    for (const input of [undefined, {}, { uri: 'text' }, { uri: new Uri('file', '', '/w/x') }, { textDiffs: [{}] }]) expect(ourUris({ input } as never)).toEqual([]);
  });
  it('never covers what the person works in', () => {
    const work = group(1, { uri: new Uri('file', '', '/a') });
    const previews = group(2, ours);
    expect(placeFor([work], work)).toBe('beside');
    expect(placeFor([work, previews], work)).toEqual({ column: 2 });
    expect(placeFor([previews], previews)).toBe('nowhere');
    expect(placeFor([group(1)], group(1))).toBe('active');
  });
});

describe('native surfaces', () => {
  it('leave nothing behind, in any order of opening and closing (invariant 7)', async () => {
    const desk = new TestDesk();
    const surfaces = openNativeSurfaces({ desk, now: desk.now, newToken: desk.newToken, report: desk.report, openRecord: () => undefined, keepTerminals: () => true });
    for (const surface of surfaces.list) {
      surface.close('never', 'expired');
      surface.open(commandRequest('c'));
      surface.open(writeRequest('w'));
      surface.close('c', 'denied');
    }
    surfaces.terminals.start('npm test').write('x\n');
    surfaces.dispose();
    surfaces.dispose();
    await settle();
    for (const surface of surfaces.list) surface.close('w', 'interrupted');
    expect(leaks()).toEqual([]);
    expect(desk.answers).toEqual([]);
  });

  it('is a list with each id once', () => {
    const desk = new TestDesk();
    const surfaces = openNativeSurfaces({ desk, now: desk.now, newToken: desk.newToken, report: desk.report, openRecord: () => undefined, keepTerminals: () => true });
    expect(surfaces.list.map((surface) => surface.id).sort()).toEqual(['diff', 'notification', 'palette', 'review', 'status_bar', 'tree']);
    surfaces.dispose();
  });

  it('add the edits to an approval from anywhere, never to a denial', () => {
    const desk = new TestDesk();
    desk.waiting.set('w', writeRequest('w'));
    const wrapped = withEdits(desk, () => ({ '/a': 'mine' }));
    const answer = { requestId: 'w', fingerprint: 'fp-w', scope: 'once', reason: undefined, edits: undefined, surface: 'chat' } as const;
    wrapped.answer({ ...answer, choice: 'deny' });
    desk.waiting.set('w', writeRequest('w'));
    wrapped.answer({ ...answer, choice: 'approve' });
    expect(desk.answers.map((each) => each.edits)).toEqual([undefined, { '/a': 'mine' }]);
  });
});

describe('attempt', () => {
  it('turns every failure into a line of the log', async () => {
    const lines: string[] = [];
    const report = (line: string): void => { lines.push(line); };
    attempt({ report }, 'a', () => { throw new Error('now'); });
    attempt({ report }, 'b', () => Promise.reject(new Error('later')));
    await settle();
    expect(lines).toEqual(['a: now', 'b: later']);
  });
});
