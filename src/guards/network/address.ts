import ipaddr from 'ipaddr.js';
import type { Action } from '../../core/verdict.ts';

export interface NetworkRules {
  readonly policy: 'deny' | 'restricted' | 'allow';
  /** `host`, `*.host` (subdomains only), `**.host` (with the host itself), each with an optional `:port`. */
  readonly allowedHosts: readonly string[];
  readonly deniedHosts?: readonly string[] | undefined;
}

export interface AddressAnswer {
  readonly action: Action;
  readonly patternKey: string;
  /** Plain words. */
  readonly reason: string;
}

const DENY = (patternKey: string, reason: string): AddressAnswer => ({ action: 'deny', patternKey, reason });
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion|test\.localhost|in-addr\.arpa|ip6\.arpa)$/;
/** Public name services that answer with the address written in the name. */
const WILDCARD_DNS = /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|xip\.[a-z]+|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|readme\.localtest\.me|traefik\.me|1u\.ms|rbndr\.us|local-ip\.\w+|backname\.io|localho\.st|yoogle\.com|42foo\.com|fbi\.com)$/;
const METADATA = /^(?:metadata(?:\.google)?(?:\.internal)?|instance-data(?:\..*)?|metadata\.(?:azure|packet|platformequinix)\..*)$/;
const EMBEDDED = /(?:^|[.-])(?:\d{1,3}[.-]){3}\d{1,3}(?:[.-]|$)|(?:^|[.-])(?:0x)?[0-9a-f]{8}(?:[.-]|$)/;
/** Ports of services that are not the web: mail, names, remote shells, databases, caches. */
const FOREIGN_PORTS = new Set([1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9200, 10080, 10250, 11211, 27017]);

/** Judges an address as written, before any name is resolved. Resolved addresses are judged by `judgeResolved`. */
export function judgeAddress(written: string, rules: NetworkRules): AddressAnswer {
  if (rules.policy === 'deny') return DENY('network_denied', 'The network is switched off in the settings');
  if (/^[\\/]/.test(written)) return DENY('address_spelling', 'The address has no scheme and no name at its start');
  const text = /^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[\w.-]+:\d+(?:\/|$)/.test(written) ? written : `https://${written}`;
  if (/[\0-\x20\x7f\\]|%00|%2[ef]|%5c/i.test(text.replace(/[?#].*$/s, ''))) return DENY('address_spelling', 'The address contains characters that hide where it leads');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return DENY('address_invalid', 'The address cannot be read');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return DENY('address_scheme', `Addresses that start with ${url.protocol} are not fetched`);
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) return DENY('address_userinfo', 'The address carries a user name, which can hide the real host');
  return judgeHost(url, text, rules);
}

function judgeHost(url: URL, written: string, rules: NetworkRules): AddressAnswer {
  const host = url.hostname.toLowerCase().replace(/\.+$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const literal = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal)) {
    const answer = judgeResolved(literal);
    if (answer !== undefined) return answer;
    if (!literal.includes(':') && literal !== writtenHost(written)) return DENY('address_spelling', 'The address is written in a form that hides the real one');
  } else if (LOCAL_NAMES.test(host) || METADATA.test(host) || WILDCARD_DNS.test(host)) return DENY('address_private', 'The name leads to this machine or a private network');
  else if (EMBEDDED.test(host) && !listed(host, port, rules.allowedHosts)) return DENY('address_private', 'The name has another address written in it');
  else if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(host)) return { action: 'ask', patternKey: 'address_name', reason: 'The name is no full host name' };
  if (rules.deniedHosts !== undefined && listed(host, port, rules.deniedHosts)) return DENY('host_denied', 'The host is on the denied list');
  if (FOREIGN_PORTS.has(port)) return DENY('address_port', `Port ${port} belongs to another kind of service`);
  if (listed(host, port, rules.allowedHosts)) return { action: 'allow', patternKey: 'host_allowed', reason: 'The host is on the allowed list' };
  if (/(?:^|\.)xn--/.test(host)) return { action: 'ask', patternKey: 'address_lookalike', reason: `The name is written with unusual letters and really is ${host}` };
  return { action: 'ask', patternKey: rules.policy === 'restricted' ? 'allowlist_miss' : 'network_host', reason: rules.policy === 'restricted' ? 'The host is not on the allowed list' : 'The host has not been allowed yet' };
}

function writtenHost(text: string): string {
  const match = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(text);
  return (match?.[1] ?? '').toLowerCase().replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** A deny for an address that is not on the public internet, mapped and translated forms included; undefined for a public one. */
export function judgeResolved(address: string): AddressAnswer | undefined {
  if (!ipaddr.isValid(address) || address.includes('%')) return DENY('address_invalid', 'The address cannot be read');
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'unicast' && parsed.toString() !== '168.63.129.16') return undefined;
  return DENY('address_private', 'The address belongs to this machine, a private network or a reserved range');
}

/** Whether a list names the host. An entry that is only a top-level domain, or has a star inside a name of one label, names nothing. */
export function listed(host: string, port: number, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    const [, name = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase().trim()) ?? [];
    if (wanted !== undefined && Number(wanted) !== port) return false;
    return matchesHost(host, name.replace(/\.+$/, ''));
  });
}

function matchesHost(host: string, entry: string): boolean {
  if (entry === '*') return true;
  if (entry.startsWith('**.')) return host === entry.slice(3) || matchesHost(host, entry.slice(1));
  if (!entry.includes('*')) return host === entry;
  const rest = entry.startsWith('*.') ? entry.slice(2) : entry;
  if (!rest.includes('.') || /^\*+$/.test(rest.split('.')[0] ?? '')) return false;
  const source = entry.split('.').map((label, index) => (label === '*' && index === 0 ? '(?:[^.]+\\.)*[^.]+' : label.replace(/[^a-z0-9*-]/g, '\\$&').replace(/\*/g, '[^.]*'))).join('\\.');
  return new RegExp(`^${source}$`).test(host);
}
