import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { frontTab, leaks, reset, seen, settle, Uri } from '../../../fakes/vscode.ts';
import { fileChange, pathResource } from '../../core/approval/card-samples.ts';
import { commandRequest, TestDesk, writeRequest } from './samples.ts';
import type { ApprovalRequest } from '../../../../src/core/approval/request.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { TitleActions } = await import('../../../../src/surfaces/review/title-actions.ts');
const { ShownSince } = await import('../../../../src/surfaces/review/shown-since.ts');
const { ReasonBox } = await import('../../../../src/surfaces/review/reply.ts');

describe('TitleActions', () => {
  let desk: TestDesk;
  let shown: InstanceType<typeof ShownSince>;
  let reason: InstanceType<typeof ReasonBox>;
  let actions: InstanceType<typeof TitleActions>;
  let revealed: string[];
  const diff = new Uri('sluice-proposed', 'w.1-of-1', '/src/date.js');
  const wait = (request: ApprovalRequest): void => { desk.waiting.set(request.id, request); };
  const run = (id: string, ...args: unknown[]): unknown => (seen.commands.get(id) as ((...args: unknown[]) => unknown) | undefined)?.(...args);

  beforeEach(() => {
    reset();
    desk = new TestDesk();
    revealed = [];
    shown = new ShownSince(desk);
    reason = new ReasonBox(desk);
    actions = new TitleActions(desk, shown, (request) => revealed.push(request.id), reason);
    desk.onAnswered = (id) => reason.close(id);
  });
  afterEach(async () => {
    for (const part of [actions, reason, shown]) part.dispose();
    await settle();
    expect(leaks()).toEqual([]);
  });

  it('answers for the diff in front, from half a second on', () => {
    wait(writeRequest('w'));
    frontTab({ modified: diff });
    desk.time += 499;
    run('sluice.diff.approve', diff, { groupId: 1 });
    expect([desk.answers.length, revealed]).toEqual([0, ['w']]);
    desk.time += 1;
    run('sluice.diff.approve', diff, { groupId: 1 });
    expect(desk.answers).toMatchObject([{ requestId: 'w', choice: 'approve', scope: 'once', surface: 'diff' }]);
  });

  it.each([
    ['a forged address with the request not in front', [diff]],
    ['no argument at all', []],
  ])('only reveals for %s', (_, args) => {
    wait(writeRequest('w'));
    frontTab({ uri: new Uri('file', '', '/home/dev/a.js') });
    desk.time += 5_000;
    run('sluice.diff.approve', ...args);
    expect(desk.answers).toEqual([]);
  });

  it('never answers another request than the one it names', () => {
    wait(writeRequest('w'));
    wait(commandRequest('other'));
    frontTab({ modified: diff });
    desk.time += 5_000;
    run('sluice.diff.approve', new Uri('sluice-request', 'other.once', '/Run a command'));
    expect([desk.answers.length, revealed]).toEqual([0, ['other']]);
  });

  it('finds a request whose id has capitals: the editor writes addresses in lower case', () => {
    wait(writeRequest('Req_AbC'));
    const uri = new Uri('sluice-proposed', 'req_abc.1-of-1', '/src/date.js');
    frontTab({ modified: uri });
    desk.time += 500;
    run('sluice.diff.approve', uri);
    expect(desk.answers).toMatchObject([{ requestId: 'Req_AbC' }]);
  });

  it('says when the request has ended', () => {
    run('sluice.diff.approve', diff);
    expect(seen.messages[0]?.message).toBe('Nothing was decided: this request no longer waits.');
  });

  it('counts again after the tab was out of sight', () => {
    wait(writeRequest('w'));
    frontTab({ modified: diff });
    desk.time += 5_000;
    frontTab({ uri: new Uri('file', '', '/home/dev/a.js') });
    frontTab({ modified: diff });
    run('sluice.diff.deny', diff);
    expect(desk.answers).toEqual([]);
  });

  it('knows the multi-file diff by its shape and shows its actions', () => {
    wait(writeRequest('w', [fileChange(), fileChange({ path: pathResource({ relative: 'b.js' }) })]));
    frontTab({ textDiffs: [{ modified: new Uri('sluice-proposed', 'w.1-of-2', '/src/date.js') }] });
    expect(seen.executed).toEqual([{ id: 'setContext', args: ['sluice.manyFilesShown', true] }]);
    desk.time += 500;
    run('sluice.diff.approveAll', new Uri('multi-diff-editor', '', '/x'));
    expect(desk.answers).toHaveLength(1);
  });

  it('gives the session only when it was offered', () => {
    wait(commandRequest('c'));
    frontTab({ uri: new Uri('sluice-request', 'c.once', '/Run a command') });
    desk.time += 500;
    run('sluice.diff.approveForSession', undefined);
    expect([desk.answers.length, revealed]).toEqual([0, ['c']]);
  });

  it('denies with the words of the person, and leaves it waiting when the box is left', async () => {
    wait(writeRequest('w'));
    frontTab({ modified: diff });
    desk.time += 500;
    run('sluice.diff.denyWithReason', diff);
    await seen.inputs[0]?.answer(undefined);
    expect(desk.answers).toEqual([]);
    run('sluice.diff.denyWithReason', diff);
    await seen.inputs[1]?.answer('  use UTC ');
    expect(desk.answers).toMatchObject([{ choice: 'deny', reason: 'use UTC' }]);
  });

  it('closes the box when the request is answered elsewhere', async () => {
    wait(writeRequest('w'));
    frontTab({ modified: diff });
    desk.time += 500;
    run('sluice.diff.denyWithReason', diff);
    desk.answer({ requestId: 'w', fingerprint: 'fp-w', choice: 'approve', scope: 'once', reason: undefined, edits: undefined, surface: 'tree' });
    await seen.inputs[0]?.answer('too late');
    expect(desk.answers).toHaveLength(1);
    expect(seen.messages).toEqual([]);
  });
});
