import type { Call } from '../call.ts';

/** What a model reads about a tool. `parameters` is JSON Schema, always `{type: "object", ...}`. */
export interface ToolPrompt {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly Call[]; readonly reasoning?: string | undefined }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolPrompt[];
}

/** Shown while the message streams; the reply, not the deltas, is what counts. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call_started'; readonly tool: string };

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly estimated: boolean;
}

export interface ModelReply {
  readonly text: string;
  readonly reasoning: string | undefined;
  /** In the order the provider opened them; incomplete ones included and marked. */
  readonly calls: readonly Call[];
  /** Verbatim; undefined when the stream ended without one. */
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
  readonly responseId: string | undefined;
}

/** One folder under `providers/` each. `respond` rejects with `ModelError`, or with the signal's reason on abort. */
export interface ModelSource {
  readonly id: string;
  /** For the view: the model's name. */
  readonly label: string;
  /** An honest sentence the view always shows, e.g. that no model is called. */
  readonly notice: string | undefined;
  respond(request: ModelRequest, onDelta: (delta: ModelDelta) => void, signal: AbortSignal): Promise<ModelReply>;
}

export type ModelErrorKind =
  | 'rate_limited' | 'overloaded' | 'connection_lost' | 'idle' | 'unauthorized' | 'bad_request' | 'context_exceeded' | 'content_filter' | 'malformed' | 'not_found';

/** What went wrong at the model, in words for the person; `retryAfterMs` is what the server asked for. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly retryAfterMs: number | undefined;
  constructor(kind: ModelErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
  /** Whether sending the same request again can help. */
  get retryable(): boolean {
    return this.kind === 'rate_limited' || this.kind === 'overloaded' || this.kind === 'connection_lost' || this.kind === 'idle';
  }
}

/**
 * Whether a caught value is a `ModelError`. By name, because a lazily loaded provider is a bundle of its own with its
 * own copy of the class, where `instanceof` would say no.
 */
export function isModelError(value: unknown): value is ModelError {
  return value instanceof Error && value.name === 'ModelError' && typeof (value as { kind?: unknown }).kind === 'string';
}
