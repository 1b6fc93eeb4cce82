import type { ModelDelta, ModelReply, ModelRequest, ModelSource } from '../../core/agent/model.ts';
import type { Clock } from '../../core/ports.ts';
import { nextMove } from './plan.ts';

export const REHEARSAL_NOTICE = 'rehearsal: a prepared session, no model';

/** Milliseconds between the words as they appear; 0 in tests. */
const PACE_MS = 18;

/**
 * The built-in source that serves when no model is connected. It calls nothing and says so; it plays the fix of
 * the sample workspace by the results it really gets, so that every approval can be seen in the first minute.
 */
export function createRehearsal(clock: Clock, paceMs = PACE_MS): ModelSource {
  return {
    id: 'rehearsal',
    label: 'rehearsal',
    notice: REHEARSAL_NOTICE,
    respond: async (request, onDelta, signal) => {
      const move = nextMove(request.messages, request.tools.map((tool) => tool.name));
      await speak(move.say, onDelta, clock, paceMs, signal);
      if (move.call !== undefined) onDelta({ type: 'call_started', tool: move.call.tool });
      return reply(move, request);
    },
  };
}

async function speak(text: string, onDelta: (delta: ModelDelta) => void, clock: Clock, paceMs: number, signal: AbortSignal): Promise<void> {
  for (const word of text.split(/(?<= )/)) {
    signal.throwIfAborted();
    onDelta({ type: 'text', text: word });
    if (paceMs > 0) await clock.sleep(paceMs, signal);
  }
}

function reply(move: ReturnType<typeof nextMove>, request: ModelRequest): ModelReply {
  const number = request.messages.filter((message) => message.role === 'assistant').length + 1;
  return {
    text: move.say, reasoning: undefined, usage: undefined, model: undefined, responseId: undefined,
    finishReason: move.call === undefined ? 'stop' : 'tool_calls',
    calls: move.call === undefined ? [] : [{ id: `rehearsal_${number}`, tool: move.call.tool, argumentsText: JSON.stringify(move.call.args), complete: true }],
  };
}
