import type { Redactor } from '../audit/redact.ts';
import type { Refusal } from '../refusal.ts';
import type { ToolResult } from '../tool.ts';

/** The end of a call: exactly one for every call id, whatever happened. */
export interface Settled {
  readonly stage: 'settled';
  readonly callId: string;
  readonly tool: string;
  /** What the model reads as this call's result. */
  readonly text: string;
  readonly status: ToolResult['status'] | 'refused';
  readonly refusal: Refusal | undefined;
}

/** Most characters of one result that reach the model. Tools bound themselves earlier and more kindly. */
export const RESULT_LIMIT = 65_536;

/** Everything but tab and newline that could move a cursor, ring, hide or reorder text. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function settleResult(callId: string, tool: string, result: ToolResult, redact: Redactor): Settled {
  return { stage: 'settled', callId, tool, text: clean(result.text, redact), status: result.status, refusal: undefined };
}

/** The words for the person are cleaned as well: an error's text may hold what a program said. */
export function settleRefusal(callId: string, tool: string, refusal: Refusal, redact: Redactor): Settled & { readonly refusal: Refusal } {
  const text = clean(refusal.forModel, redact);
  return { stage: 'settled', callId, tool, text, status: 'refused', refusal: { ...refusal, forModel: text, forPerson: clean(refusal.forPerson, redact) } };
}

function clean(text: string, redact: Redactor): string {
  const plain = redact(text.replaceAll('\r\n', '\n').replace(CONTROLS, ''));
  if (plain.length <= RESULT_LIMIT) return plain;
  return `${plain.slice(0, RESULT_LIMIT).toWellFormed()}\n[cut: ${plain.length - RESULT_LIMIT} more characters]`;
}
