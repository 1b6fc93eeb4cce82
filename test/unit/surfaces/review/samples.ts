import type { Answer, ApprovalDesk, ApprovalRequest, Receipt } from '../../../../src/core/approval/request.ts';
import { buildCard, type CardInput } from '../../../../src/core/approval/card.ts';
import type { SurfaceContext } from '../../../../src/surfaces/review/context.ts';
import { commandInput, fileChange, writeInput } from '../../core/approval/card-samples.ts';
import type { FileChange } from '../../../../src/core/call.ts';

function request(id: string, input: CardInput, over: Partial<ApprovalRequest>): ApprovalRequest {
  return {
    id, fingerprint: `fp-${id}`, session: 's', task: 't', taskTitle: 'Fix the test', callId: `call-${id}`, tool: 'any', risk: 'exec',
    confinement: input.confinement, patternKey: 'allowlist_miss', argumentsText: '{}', card: buildCard(input), changes: input.changes,
    createdAt: 0, expiresAt: undefined, ...over,
  };
}

export function commandRequest(id: string, line = 'npm test', over: Partial<CardInput> = {}): ApprovalRequest {
  return request(id, commandInput(line, over), {});
}

export function writeRequest(id: string, changes: readonly FileChange[] = [fileChange()], over: Partial<CardInput> = {}): ApprovalRequest {
  return request(id, writeInput(changes, over), { tool: 'edit_file', risk: 'write' });
}

/** A desk that answers like the broker and keeps what it was told; `time` is moved by the test. */
export class TestDesk implements ApprovalDesk, SurfaceContext {
  readonly answers: Answer[] = [];
  readonly lines: string[] = [];
  readonly waiting = new Map<string, ApprovalRequest>();
  readonly ended = new Set<string>();
  readonly desk: ApprovalDesk = this;
  time = 10_000;
  onAnswered: (requestId: string) => void = () => undefined;
  #tokens = 0;

  readonly now = (): number => this.time;
  readonly newToken = (): string => `token-${this.#tokens += 1}`;
  readonly report = (line: string): void => { this.lines.push(line); };

  pending(): readonly ApprovalRequest[] {
    return [...this.waiting.values()];
  }

  answer(answer: Answer): Receipt {
    const waiting = this.waiting.get(answer.requestId);
    if (waiting === undefined) return this.ended.has(answer.requestId) ? 'already_answered' : 'unknown_request';
    if (waiting.fingerprint !== answer.fingerprint) return 'fingerprint_mismatch';
    this.waiting.delete(answer.requestId);
    this.ended.add(answer.requestId);
    this.answers.push(answer);
    this.onAnswered(answer.requestId);
    return 'accepted';
  }
}
