import type { Body, Dialect } from './body.ts';
import type { Failure } from './failures.ts';

/**
 * What to change when a server refuses a request for its form and says so; undefined when nothing is known to
 * help. Each change makes its own condition false, so that a server cannot be adapted to for ever.
 */
export function adapt(failure: Failure, sent: Body, dialect: Dialect): Partial<Dialect> | undefined {
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const { said } = failure;
  if (dialect.askForUsage && /stream_options|include_usage/i.test(said)) return { askForUsage: false };
  if (/reasoning/i.test(said)) return adaptReasoning(said, sent, dialect);
  if ('max_tokens' in sent && /max_completion_tokens/.test(said)) return { maxTokensField: 'max_completion_tokens' };
  if (dialect.systemRole === 'developer' && /developer/i.test(said)) return { systemRole: 'system' };
  return undefined;
}

function adaptReasoning(said: string, sent: Body, dialect: Dialect): Partial<Dialect> | undefined {
  const wasSent = sent.messages.some((message) => 'reasoning_content' in message);
  const hasCalls = sent.messages.some((message) => 'tool_calls' in message);
  const demanded = /missing|required|must\b.{0,40}\b(be|include|contain|pass)|expected|needs?\b/i.test(said) && !/must not|unexpected|not (permitted|allowed|supported)|unrecogni[sz]ed|unknown|extra/i.test(said);
  if (demanded) return hasCalls && dialect.returnReasoning !== 'always' ? { returnReasoning: 'always' } : undefined;
  return wasSent ? { returnReasoning: 'never' } : undefined;
}
