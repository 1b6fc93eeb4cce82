import type { Call } from '../../core/call.ts';
import type { ModelMessage, ModelRequest, ToolPrompt } from '../../core/agent/model.ts';
import type { Quirks } from './quirks.ts';

/** What this source knows of its server: the quirks, corrected by what the server has said so far. */
export interface Dialect extends Quirks {
  /** False once the server has refused `stream_options`. */
  readonly askForUsage: boolean;
  /** The model has streamed `reasoning_content` to this source. */
  readonly streamsReasoning: boolean;
}

type Json = Record<string, unknown>;

export interface Body {
  readonly model: string;
  readonly messages: readonly Json[];
  readonly stream: true;
  readonly [field: string]: unknown;
}

/** The request as it goes out: built from the `ModelRequest` and the dialect, from nothing else. */
export function buildBody(model: string, request: ModelRequest, dialect: Dialect, maxOutputTokens: number | undefined): Body {
  return {
    model,
    messages: [{ role: dialect.systemRole, content: request.system.toWellFormed() }, ...request.messages.map((message) => toWire(message, dialect))],
    stream: true,
    ...(dialect.askForUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toolToWire) } : {}),
    ...(maxOutputTokens === undefined ? {} : { [dialect.maxTokensField]: maxOutputTokens }),
  };
}

function toWire(message: ModelMessage, dialect: Dialect): Json {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text.toWellFormed() };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text.toWellFormed() };
    case 'assistant': {
      const content = message.text.toWellFormed();
      if (message.calls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant', content: content === '' ? null : content, tool_calls: message.calls.map(callToWire),
        ...reasoningOf(message.reasoning, dialect),
      };
    }
  }
}

function reasoningOf(reasoning: string | undefined, dialect: Dialect): Json {
  if (dialect.returnReasoning === 'always') return { reasoning_content: reasoning ?? '' };
  const wanted = dialect.returnReasoning === 'if_streamed' && dialect.streamsReasoning && reasoning !== undefined;
  return wanted ? { reasoning_content: reasoning } : {};
}

/**
 * Arguments go back exactly as they came. Those of an incomplete call become `{}`, because strict servers refuse a
 * history with broken JSON; that the call was cut off is said in its tool message. A name that such servers would
 * refuse is spelled with `_`.
 */
function callToWire(call: Call): Json {
  const name = call.tool.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
  return { id: call.id, type: 'function', function: { name, arguments: call.complete ? call.argumentsText : '{}' } };
}

function toolToWire(tool: ToolPrompt): Json {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: { properties: {}, ...tool.parameters } } };
}
