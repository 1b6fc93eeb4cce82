import { ModelError } from './model.ts';

/** A piece of a tool call as providers stream it. Absent, null and empty all mean "nothing about this". */
export interface CallFragment {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly arguments?: string | null | undefined;
}

/** A call while its fragments still come in. */
export interface LaneCall {
  id: string;
  name: string;
  text: string;
  /** Fragments came that may belong to this call or to another: it must not run. */
  ambiguous: boolean;
  /** The view has been told of it. */
  shown: boolean;
  readonly progress: JsonProgress;
}

/** Characters and counts of one message; beyond them it is refused whole. */
export const CALL_LIMITS = { calls: 64, argumentsLength: 1_000_000, totalLength: 8_000_000, labelLength: 256 } as const;

interface JsonProgress {
  depth: number;
  inString: boolean;
  escaped: boolean;
  /** A bracketed or quoted value has closed: more text could only spoil it. */
  ended: boolean;
}

type Lane = LaneCall[];

/**
 * Sorts fragments into calls. A lane is an index of the provider (calls without one share a lane). Within a lane a
 * fragment belongs to the call with its id; without an id, to the only call there that is still unfinished. A new id
 * opens a call, unless the call there has none yet and nothing speaks against it being late; so does a name once
 * the value before it has closed. When two calls could own a fragment, all of them are marked ambiguous.
 * An equal name repeated before the value has closed is a repetition; a different one before the arguments is the
 * rest of a split name.
 */
export class CallLanes {
  /** In the order they were opened. */
  readonly calls: LaneCall[] = [];
  readonly #lanes = new Map<number | undefined, Lane>();
  #total = 0;

  /** Throws `ModelError('malformed')` when a limit is passed. */
  add(fragment: CallFragment): void {
    const index = fragment.index ?? undefined;
    const id = label(fragment.id, 'id');
    const name = label(fragment.name, 'tool name');
    const text = fragment.arguments ?? '';
    if (id === '' && name === '' && text === '') return;
    const lane = this.#lane(index);
    const own = id === '' ? lane : this.#withId(lane, id, name, text);
    if (own === undefined || own.length === 0) this.#open(lane, id, name, text);
    else if (name === '') this.#continue(own, text);
    else this.#named(lane, own, id, name, text);
  }

  #lane(index: number | undefined): Lane {
    const found = this.#lanes.get(index);
    if (found !== undefined) return found;
    const made: Lane = [];
    this.#lanes.set(index, made);
    return made;
  }

  /** The calls an id can mean in this lane; undefined when it opens a new one. */
  #withId(lane: Lane, id: string, name: string, text: string): Lane | undefined {
    const known = lane.filter((call) => call.id === id);
    if (known.length > 0) return known;
    const waiting = lane.filter((call) => call.id === '');
    const only = waiting.length === 1 ? waiting[0] : undefined;
    if (only !== undefined) {
      const sameCall = isWhole(only) ? name === '' && text.trim() === '' : name === '' || only.text === '' || name === only.name;
      if (sameCall) {
        only.id = id;
        return [only];
      }
      if (!isWhole(only)) only.ambiguous = true;
    }
    if (waiting.length > 1) for (const call of waiting) if (!isWhole(call)) call.ambiguous = true;
    return undefined;
  }

  #open(lane: Lane, id: string, name: string, text: string): LaneCall {
    if (this.calls.length >= CALL_LIMITS.calls) throw tooMuch(`more than ${CALL_LIMITS.calls} tool calls`);
    const elsewhere = id === '' ? [] : this.calls.filter((call) => call.id === id);
    const call: LaneCall = {
      id, name, text: '', ambiguous: false, shown: false,
      progress: { depth: 0, inString: false, escaped: false, ended: false },
    };
    // A known id under another index and without a name: a call that moved, or another one. Neither is safe.
    if (name === '' && elsewhere.length > 0) for (const other of [call, ...elsewhere]) other.ambiguous = true;
    lane.push(call);
    this.calls.push(call);
    this.#append(call, text);
    return call;
  }

  #continue(own: Lane, text: string): void {
    const unfinished = own.filter((call) => !call.progress.ended);
    const only = unfinished[0];
    if (only !== undefined && unfinished.length === 1) this.#append(only, text);
    else if (only !== undefined) {
      if (text !== '') for (const call of unfinished) call.ambiguous = true;
    } else if (text.trim() !== '' || own.length === 1) {
      // Blanks after a whole value are harmless; anything else belongs to nobody.
      if (text.trim() !== '') for (const call of own) call.ambiguous = true;
      const last = own.at(-1);
      if (last !== undefined) this.#append(last, text);
    }
  }

  #named(lane: Lane, own: Lane, id: string, name: string, text: string): void {
    const unfinished = own.filter((call) => !isWhole(call));
    const only = unfinished[0];
    if (only === undefined) {
      const repeated = id !== '' && text.trim() === '' && own.at(-1)?.name === name;
      if (!repeated) this.#open(lane, id, name, text);
    } else if (unfinished.length > 1) {
      for (const call of unfinished) call.ambiguous = true;
    } else if (name === only.name || only.text === '') {
      if (name !== only.name) only.name = label(only.name + name, 'tool name');
      this.#append(only, text);
    } else if (only.name === '') {
      only.name = name;
      this.#append(only, text);
    } else {
      only.ambiguous = true;
      this.#open(lane, id, name, text).ambiguous = true;
    }
  }

  #append(call: LaneCall, text: string): void {
    if (text === '') return;
    this.#total += text.length;
    if (call.text.length + text.length > CALL_LIMITS.argumentsLength) {
      throw tooMuch(`a tool call with more than ${CALL_LIMITS.argumentsLength} characters of arguments`);
    }
    if (this.#total > CALL_LIMITS.totalLength) throw tooMuch(`tool calls of more than ${CALL_LIMITS.totalLength} characters together`);
    call.text += text;
    advance(call.progress, text);
  }
}

/** Whether the value could end here. A number can always go on, so only a name or an id may end it. */
function isWhole(call: LaneCall): boolean {
  if (call.progress.ended) return true;
  return call.text.length <= 64 && call.progress.depth === 0 && parses(call.text);
}

export function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** One look at each character, so that a long call in many fragments costs no more than its length. */
function advance(state: JsonProgress, text: string): void {
  for (let at = 0; at < text.length && !state.ended; at += 1) {
    const char = text[at];
    if (state.inString) {
      if (state.escaped) state.escaped = false;
      else if (char === '\\') state.escaped = true;
      else if (char === '"') {
        state.inString = false;
        state.ended = state.depth === 0;
      }
    } else if (char === '"') {
      state.inString = true;
    } else if (char === '{' || char === '[') {
      state.depth += 1;
    } else if (char === '}' || char === ']') {
      state.depth -= 1;
      state.ended = state.depth <= 0;
    }
  }
}

function label(value: string | null | undefined, what: string): string {
  if (value === undefined || value === null) return '';
  if (value.length > CALL_LIMITS.labelLength) throw tooMuch(`a ${what} of more than ${CALL_LIMITS.labelLength} characters`);
  return value;
}

export function tooMuch(what: string): ModelError {
  return new ModelError('malformed', `The model sent ${what} in one message. Nothing of it was run. Send the message again, or choose another model.`);
}
