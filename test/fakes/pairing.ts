import type { ModelMessage } from '../../src/core/agent/model.ts';

/**
 * What a strict provider would object to, or undefined: every call id is used once, and the results of a message's
 * calls follow it directly, one each, before anything else.
 */
export function pairingFault(messages: readonly ModelMessage[]): string | undefined {
  const used = new Set<string>();
  const open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) return `message ${at} answers ${message.callId}, which is no open call of the message before`;
      continue;
    }
    if (open.size > 0) return `message ${at} stands before the results of ${[...open].join(', ')}`;
    for (const call of message.role === 'assistant' ? message.calls : []) {
      if (used.has(call.id)) return `message ${at} uses the call id ${call.id} again`;
      used.add(call.id);
      open.add(call.id);
    }
  }
  return open.size > 0 ? `no result for ${[...open].join(', ')}` : undefined;
}
