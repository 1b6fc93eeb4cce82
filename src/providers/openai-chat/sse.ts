import { ModelError } from '../../core/agent/model.ts';

/** One server-sent event. `last` marks one that the end of the body cut loose: it may be half. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly last: boolean;
}

/** Characters of one event. A call of the largest size, every character escaped, fits. */
const MAX_EVENT_LENGTH = 8_000_000;

/**
 * Server-sent events over a stateful UTF-8 decoder: characters, line ends (LF, CR, CRLF) and field names may be cut at
 * any byte. Comments and unknown fields are passed over. Bytes that are not UTF-8 are an error, not a replacement mark:
 * a model's text ends in files. The openai package frames this too, but hides whether `[DONE]` came and has no limit.
 */
export class EventDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  /** For messages. */
  readonly #host: string;
  #line = '';
  #afterCarriageReturn = false;
  #event = '';
  #data: string[] = [];
  /** Characters since the last event. */
  #length = 0;

  constructor(host: string) {
    this.#host = host;
  }

  /** Takes the next bytes, cut anywhere; returns the events they complete. Throws `ModelError('malformed')`. */
  push(bytes: Uint8Array): ServerEvent[] {
    const text = this.#decode(bytes);
    const found: ServerEvent[] = [];
    if (text === '') return found;
    let start = this.#afterCarriageReturn && text.startsWith('\n') ? 1 : 0;
    this.#afterCarriageReturn = false;
    const lineEnd = /\r\n|\r|\n/g;
    lineEnd.lastIndex = start;
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      this.#add(text.slice(start, match.index));
      this.#endLine(found);
      start = lineEnd.lastIndex;
      this.#afterCarriageReturn = match[0] === '\r' && start === text.length;
    }
    this.#add(text.slice(start));
    return found;
  }

  /** The body has ended. A character that the end cut in two says no more than the end itself: its event is half. */
  end(): ServerEvent[] {
    const found: ServerEvent[] = [];
    if (this.#line !== '') this.#endLine(found);
    this.#dispatch(found, true);
    return found;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#utf8.decode(bytes, { stream: true });
    } catch {
      throw new ModelError('malformed', `The server at ${this.#host} sent bytes that are not UTF-8. Nothing of the answer was run.`);
    }
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_EVENT_LENGTH) {
      throw new ModelError('malformed', `The server at ${this.#host} sent an event of more than ${MAX_EVENT_LENGTH} characters. Nothing of it was run.`);
    }
    this.#line += text;
  }

  #endLine(found: ServerEvent[]): void {
    const line = this.#line;
    this.#line = '';
    if (line === '') {
      this.#dispatch(found, false);
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#length -= line.length;
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }

  #dispatch(found: ServerEvent[], last: boolean): void {
    if (this.#data.length > 0) found.push({ event: this.#event, data: this.#data.join('\n'), last });
    this.#event = '';
    this.#data = [];
    this.#length = 0;
  }
}
