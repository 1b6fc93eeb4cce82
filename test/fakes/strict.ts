/** Rules that real servers hold requests to. Each names the first breach, or undefined. */
export interface StrictRules {
  /** Every tool message pairs one-to-one with the calls right before it; arguments are JSON; ids are used once. */
  readonly pairing?: boolean;
  /** `parameters` of every tool is `{type: "object", properties: {...}}`. */
  readonly tools?: boolean;
  /** `required`: messages with calls must carry the reasoning that was streamed. `rejected`: nobody may send it. */
  readonly reasoning?: 'required' | 'rejected';
  /** Fields outside the documented ones are refused. */
  readonly fields?: boolean;
  /** `stream_options` is refused. */
  readonly noStreamOptions?: boolean;
}

type Json = Record<string, unknown>;

const BODY_FIELDS = new Set(['model', 'messages', 'stream', 'stream_options', 'tools', 'max_tokens', 'max_completion_tokens']);
const MESSAGE_FIELDS = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'reasoning_content']);

/** `streamed`: reasoning by the id of a call it came with. */
export function breach(body: unknown, rules: StrictRules, streamed: ReadonlyMap<string, string>): string | undefined {
  const request = body as Json;
  const messages = Array.isArray(request?.['messages']) ? (request['messages'] as Json[]) : undefined;
  if (messages === undefined) return "'messages' is missing.";
  return (rules.fields === true ? unknownField(request, messages) : undefined)
    ?? (rules.noStreamOptions === true && 'stream_options' in request ? 'Unrecognized request argument supplied: stream_options' : undefined)
    ?? (rules.tools === true ? badTool(request['tools']) : undefined)
    ?? (rules.pairing === true ? badPairing(messages) : undefined)
    ?? (rules.reasoning === undefined ? undefined : badReasoning(messages, rules.reasoning, streamed));
}

function unknownField(request: Json, messages: readonly Json[]): string | undefined {
  const field = Object.keys(request).find((key) => !BODY_FIELDS.has(key)) ?? messages.flatMap(Object.keys).find((key) => !MESSAGE_FIELDS.has(key));
  return field === undefined ? undefined : `Unrecognized request argument supplied: ${field}`;
}

function badTool(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0) return "'tools' must be a list that is not empty.";
  for (const tool of tools as Json[]) {
    const { name, parameters } = (tool['function'] ?? {}) as { name?: unknown; parameters?: Json };
    if (tool['type'] !== 'function' || typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) return `Invalid tool name: ${String(name)}`;
    if (parameters?.['type'] !== 'object' || typeof parameters['properties'] !== 'object') return `Invalid schema for function '${name}'.`;
  }
  return undefined;
}

function badPairing(messages: readonly Json[]): string | undefined {
  const used = new Set<string>();
  const open = new Set<string>();
  for (const message of messages) {
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.delete(id)) return `A tool message answers '${id}', which no call right before it has.`;
      continue;
    }
    if (open.size > 0) return `No tool message answers: ${[...open].join(', ')}`;
    for (const call of (message['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[]) {
      if (used.has(call.id)) return `Duplicate tool call id '${call.id}'.`;
      if (!/^[\w-]{1,64}$/.test(call.function.name)) return `Invalid function name '${call.function.name}'.`;
      if (!isJson(call.function.arguments)) return `Arguments of '${call.id}' are not JSON.`;
      used.add(call.id);
      open.add(call.id);
    }
  }
  return open.size > 0 ? `No tool message answers: ${[...open].join(', ')}` : undefined;
}

function badReasoning(messages: readonly Json[], rule: 'required' | 'rejected', streamed: ReadonlyMap<string, string>): string | undefined {
  if (rule === 'rejected') return messages.some((message) => 'reasoning_content' in message) ? 'Unrecognized request argument supplied: reasoning_content' : undefined;
  for (const message of messages) {
    const first = (message['tool_calls'] as { id: string }[] | undefined)?.[0];
    if (first === undefined) continue;
    const wanted = streamed.get(first.id);
    const given = message['reasoning_content'];
    if (typeof given !== 'string' || (wanted !== undefined && wanted !== given)) return 'The reasoning_content in the thinking mode must be passed back to the API.';
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
