/** What differs between models behind the same interface. Data only: nothing else in this folder knows a model's name. */
export interface Quirks {
  /**
   * Whether an earlier message's `reasoning_content` goes back with its tool calls. `always`: every message with calls
   * carries the field, as an empty string if there was none. `if_streamed`: only once this source has seen the
   * model stream that field. `never`: not at all.
   */
  readonly returnReasoning: 'always' | 'if_streamed' | 'never';
  readonly systemRole: 'system' | 'developer';
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
}

export const DEFAULT_QUIRKS: Quirks = { returnReasoning: 'if_streamed', systemRole: 'system', maxTokensField: 'max_tokens' };

interface QuirkRow {
  /** Matched against the model's name without what stands before its last `/`. */
  readonly model: RegExp;
  readonly quirks: Partial<Quirks>;
}

/** The first row that matches counts. A server that contradicts its row is learned from (see `adapt.ts`). */
export const QUIRK_ROWS: readonly QuirkRow[] = [
  { model: /^deepseek-r1/i, quirks: { returnReasoning: 'never' } },
  { model: /^deepseek-(reasoner|v\d)/i, quirks: { returnReasoning: 'always' } },
  { model: /^kimi-k2.*think/i, quirks: { returnReasoning: 'always' } },
  { model: /^(o\d|gpt-[5-9])/i, quirks: { returnReasoning: 'never', systemRole: 'developer', maxTokensField: 'max_completion_tokens' } },
  { model: /^gpt-/i, quirks: { returnReasoning: 'never' } },
];

export function quirksOf(model: string, override: Partial<Quirks> = {}): Quirks {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const row = QUIRK_ROWS.find((candidate) => candidate.model.test(name));
  return { ...DEFAULT_QUIRKS, ...row?.quirks, ...override };
}
