import { ModelError } from '../../core/agent/model.ts';

/** One server-sent event. `last` marks one that the end of the body cut loose: it may be half. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly last: boolean;
}

export interface EventDecoder {
  /** Takes the next bytes, cut anywhere; returns the events they complete. Throws `ModelError('malformed')`. */
  push(bytes: Uint8Array): ServerEvent[];
  /** The body has ended. */
  end(): ServerEvent[];
}

/** Characters of one event. A call of the largest size, every character escaped, fits. */
const MAX_EVENT_LENGTH = 8_000_000;

/**
 * Server-sent events over a stateful UTF-8 decoder: characters, line ends (LF, CR, CRLF) and field names may be cut at
 * any byte. Comments and unknown fields are passed over. Bytes that are not UTF-8 are an error, not a replacement mark:
 * a model's text ends in files. The openai package frames this too, but hides whether `[DONE]` came and has no limit.
 */
export function createEventDecoder(host: string): EventDecoder {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let line = '';
  let afterCarriageReturn = false;
  let event = '';
  let data: string[] = [];
  let length = 0;

  function endLine(found: ServerEvent[]): void {
    const whole = line;
    line = '';
    if (whole === '') {
      dispatch(found, false);
      return;
    }
    const colon = whole.indexOf(':');
    if (colon === 0) {
      length -= whole.length;
      return;
    }
    const field = colon < 0 ? whole : whole.slice(0, colon);
    const value = colon < 0 ? '' : whole.slice(whole[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }

  function dispatch(found: ServerEvent[], last: boolean): void {
    if (data.length > 0) found.push({ event, data: data.join('\n'), last });
    event = '';
    data = [];
    length = 0;
  }

  function take(text: string): ServerEvent[] {
    const found: ServerEvent[] = [];
    if (text === '') return found;
    let start = afterCarriageReturn && text.startsWith('\n') ? 1 : 0;
    afterCarriageReturn = false;
    const lineEnd = /\r\n|\r|\n/g;
    lineEnd.lastIndex = start;
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      add(text.slice(start, match.index));
      endLine(found);
      start = lineEnd.lastIndex;
      afterCarriageReturn = match[0] === '\r' && start === text.length;
    }
    add(text.slice(start));
    return found;
  }

  function add(text: string): void {
    length += text.length;
    if (length > MAX_EVENT_LENGTH) throw new ModelError('malformed', `The server at ${host} sent an event of more than ${MAX_EVENT_LENGTH} characters. Nothing of it was run.`);
    line += text;
  }

  function decode(bytes: Uint8Array): string {
    try {
      return utf8.decode(bytes, { stream: true });
    } catch {
      throw new ModelError('malformed', `The server at ${host} sent bytes that are not UTF-8. Nothing of the answer was run.`);
    }
  }

  return {
    push: (bytes) => take(decode(bytes)),
    end: () => {
      // A character that the end cut in two says no more than the end itself: the event is half.
      const found: ServerEvent[] = [];
      if (line !== '') endLine(found);
      dispatch(found, true);
      return found;
    },
  };
}
