import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaks, reset, seen, settle } from '../../../fakes/vscode.ts';
import { commandRequest, TestDesk, writeRequest } from '../review/samples.ts';
import { activityLook, passes, requestLook, type ActivityEntry } from '../../../../src/surfaces/tree/rows.ts';
import type { ApprovalRequest } from '../../../../src/core/approval/request.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { ApprovalsTree } = await import('../../../../src/surfaces/tree/approvals.ts');
const { ActivityTree } = await import('../../../../src/surfaces/tree/activity.ts');
const { ReasonBox } = await import('../../../../src/surfaces/review/reply.ts');

const run = (id: string, ...args: unknown[]): unknown => (seen.commands.get(id) as ((...args: unknown[]) => unknown) | undefined)?.(...args);
const entry = (over: Partial<ActivityEntry> = {}): ActivityEntry => ({ id: 'e', time: 0, title: 'Run npm test', outcome: 'done', decider: 'person', record: 'rec', ...over });

describe('requestLook', () => {
  it('shows ✓ on the row only when the row shows all', () => {
    expect(requestLook(commandRequest('c', 'npm test', { offerSession: true })).contextValue).toBe('request short session');
    expect(requestLook(commandRequest('c', 'x'.repeat(200))).contextValue).toBe('request');
    expect(requestLook(commandRequest('c', 'a\u200Bb')).contextValue).toBe('request');
    expect(requestLook(writeRequest('w')).contextValue).toBe('request short');
  });
  it('speaks what it shows', () => {
    expect(requestLook(commandRequest('c')).spoken).toBe('Run npm test, in sample, confined, no network, waits for your answer');
  });
  it('bounds the tooltip and says so', () => {
    expect(requestLook(commandRequest('c', 'x'.repeat(20_000))).tooltip).toMatch(/… Review shows all of it\.$/);
  });
});

describe('activity rows', () => {
  it('says the outcome in words and who decided', () => {
    expect(activityLook(entry(), () => '14:03').description).toBe('done · allowed by you · 14:03');
    expect(activityLook(entry({ outcome: 'denied_by_rule', decider: 'rule' }), () => '14:03').description).toBe('denied by rule · 14:03');
  });
  it.each([
    ['asked', { decider: 'person' }, true], ['asked', { decider: 'rule' }, false], ['asked', { outcome: 'no_answer', decider: undefined }, true],
    ['denied', { outcome: 'denied_by_person' }, true], ['denied', {}, false], ['failed', { outcome: 'timed_out' }, true], ['failed', {}, false], ['all', {}, true],
  ] as const)('filter %s on %o is %s', (filter, over, expected) => {
    expect(passes(entry(over), filter)).toBe(expected);
  });
});

describe('ApprovalsTree', () => {
  let desk: TestDesk;
  let tree: InstanceType<typeof ApprovalsTree>;
  let reason: InstanceType<typeof ReasonBox>;
  let shown: string[];
  const open = (request: ApprovalRequest): void => { desk.waiting.set(request.id, request); tree.open(request); };
  beforeEach(() => {
    reset();
    desk = new TestDesk();
    shown = [];
    reason = new ReasonBox(desk);
    tree = new ApprovalsTree(desk, (request) => shown.push(request.id), reason);
    desk.onAnswered = (id) => tree.close(id);
  });
  afterEach(() => {
    tree.dispose();
    reason.dispose();
    expect(leaks()).toEqual([]);
  });

  it('counts what waits in its badge, and has none when nothing does', () => {
    open(commandRequest('a'));
    open(commandRequest('b'));
    expect(seen.views.get('sluice.approvals')?.['badge']).toEqual({ value: 2, tooltip: '2 requests wait for you' });
    tree.close('a');
    tree.close('b');
    expect(seen.views.get('sluice.approvals')?.['badge']).toBeUndefined();
  });

  it('answers for a row of its own', () => {
    open(commandRequest('a'));
    desk.time += 500;
    run('sluice.approvals.approve', tree.getChildren()[0]);
    expect(desk.answers).toMatchObject([{ requestId: 'a', choice: 'approve', surface: 'tree' }]);
  });

  it('only brings a request into view for anything that is not a row of its own', () => {
    open(commandRequest('a'));
    desk.time += 5_000;
    const [row] = tree.getChildren();
    for (const forged of [undefined, 'a', { request: row?.request, token: row?.token }, { ...row }]) run('sluice.approvals.approve', forged);
    expect(desk.answers).toEqual([]);
    expect(shown).toEqual(['a', 'a', 'a', 'a']);
  });

  it('does not let a double click approve the row that moved up', () => {
    open(commandRequest('a'));
    open(commandRequest('b'));
    desk.time += 500;
    run('sluice.approvals.approve', tree.getChildren()[0]);
    desk.time += 200;
    run('sluice.approvals.approve', tree.getChildren()[0]);
    expect(desk.answers.map((answer) => answer.requestId)).toEqual(['a']);
    expect(shown).toEqual(['b']);
  });

  it('says that a row of an ended request was already answered', () => {
    open(commandRequest('a'));
    const [row] = tree.getChildren();
    desk.time += 500;
    run('sluice.approvals.deny', row);
    run('sluice.approvals.approve', row);
    expect(desk.answers).toHaveLength(1);
    expect(seen.messages[0]?.message).toContain('already answered');
  });

  it('never takes model text for Markdown, and does not give away request ids', () => {
    open(commandRequest('a', 'echo [x](command:quit)'));
    const [row] = tree.getChildren();
    if (row === undefined) throw new Error('no row');
    const item = tree.getTreeItem(row) as unknown as { id: string; tooltip: { isTrusted?: boolean }; accessibilityInformation: { label: string } };
    expect(item.id).toBe('token-1');
    expect(item.tooltip.isTrusted).toBeUndefined();
    expect(item.accessibilityInformation.label).toContain('waits for your answer');
  });

  it('shows the oldest first, and says when nothing waits', () => {
    open(commandRequest('a'));
    open(commandRequest('b'));
    run('sluice.approvals.showNext');
    tree.close('a');
    tree.close('b');
    run('sluice.approvals.showNext');
    expect(shown).toEqual(['a']);
    expect(seen.messages[0]?.message).toBe('No request waits.');
  });

  it('asks for the reason of a denial', async () => {
    open(commandRequest('a'));
    desk.time += 500;
    run('sluice.approvals.denyWithReason', tree.getChildren()[0]);
    await seen.inputs[0]?.answer('not now');
    await settle();
    expect(desk.answers).toMatchObject([{ choice: 'deny', reason: 'not now', surface: 'tree' }]);
  });
});

describe('ActivityTree', () => {
  it('keeps the last 200, newest first, the same id once, and opens records', () => {
    reset();
    const opened: string[] = [];
    const tree = new ActivityTree(new TestDesk(), (record) => opened.push(record));
    for (let index = 0; index < 250; index += 1) tree.add(entry({ id: `e${index}`, record: `r${index}` }));
    tree.add(entry({ id: 'e249', record: 'r249', outcome: 'failed' }));
    const rows = tree.getChildren();
    expect([rows.length, rows[0]?.id, rows[0]?.outcome, rows.at(-1)?.id]).toEqual([200, 'e249', 'failed', 'e50']);
    run('sluice.activity.open', rows[0]);
    run('sluice.activity.open', undefined);
    expect(opened).toEqual(['r249']);
    tree.dispose();
    expect(leaks()).toEqual([]);
  });
});
