import { ModelError } from '../../core/agent/model.ts';

/** Where the model is asked. `host` (name and port) is all that messages ever say of it. */
export interface Endpoint {
  /** Without a final `/`; a query such as `?api-version=...` is kept. */
  readonly baseUrl: string;
  readonly host: string;
}

export interface EndpointProblem {
  /** What is wrong with the address and what to do. Never repeats what could be a secret in it. */
  readonly problem: string;
}

/**
 * Reads a model address. Refused: anything but http and https, a user name or password inside (it would end in
 * logs; keys have their own place), a fragment, and http to another machine, where the key and the code sent
 * along could be read on the way. An address pasted with `/chat/completions` at its end is taken without that.
 */
export function readEndpoint(text: string): Endpoint | EndpointProblem {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { problem: 'The model address is not a web address. Write it like https://models.example/v1.' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: `The model address starts with "${url.protocol}". It must start with https:// (or http:// for this machine).` };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: `The model address for ${url.host} contains a user name or password. Remove it and set the key with the command Sluice: Set API Key.` };
  }
  if (url.hash !== '') return { problem: `The model address for ${url.host} contains "#". Remove it and what follows.` };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { problem: `The model address uses http:// to ${url.host}, so the key and your code could be read on the way. Use https://, or a tunnel to this machine.` };
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '').replace(/\/+$/, '');
  return { baseUrl: `${url.origin}${path}${url.search}`, host: url.host };
}

/** As `readEndpoint`; a problem is thrown as `ModelError('bad_request')`. */
export function requireEndpoint(text: string): Endpoint {
  const read = readEndpoint(text);
  if ('problem' in read) throw new ModelError('bad_request', read.problem);
  return read;
}

/** `URL` has already brought the many spellings of an IPv4 address (0x7f.1, 2130706433) into one form. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
