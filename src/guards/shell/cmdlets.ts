import { show, type Argument } from '../../core/command/argument.ts';
import type { Draft } from '../../core/command/analyse/draft.ts';
import type { ConcernKey, EffectOperation } from '../../core/command/form.ts';
import type { PowerWord } from '../../core/command/powershell/read.ts';

const ALIASES: Readonly<Record<string, string>> = {
  ls: 'get-childitem', dir: 'get-childitem', gci: 'get-childitem', cat: 'get-content', type: 'get-content', gc: 'get-content', gi: 'get-item', gp: 'get-itemproperty', pwd: 'get-location', gl: 'get-location', cd: 'set-location', chdir: 'set-location', sl: 'set-location', pushd: 'push-location', popd: 'pop-location',
  echo: 'write-output', write: 'write-output', select: 'select-object', sort: 'sort-object', measure: 'measure-object', group: 'group-object', where: 'where-object', '?': 'where-object', '%': 'foreach-object', foreach: 'foreach-object', ft: 'format-table', fl: 'format-list', fw: 'format-wide', sls: 'select-string', compare: 'compare-object', diff: 'compare-object', gm: 'get-member', gcm: 'get-command', man: 'get-help', help: 'get-help', gal: 'get-alias', sleep: 'start-sleep', oh: 'out-host', rvpa: 'resolve-path', gu: 'get-unique', cls: 'clear-host', clear: 'clear-host', h: 'get-history', history: 'get-history', ghy: 'get-history',
  rm: 'remove-item', ri: 'remove-item', del: 'remove-item', erase: 'remove-item', rd: 'remove-item', rmdir: 'remove-item', rp: 'remove-itemproperty', cp: 'copy-item', copy: 'copy-item', cpi: 'copy-item', mv: 'move-item', move: 'move-item', mi: 'move-item', ren: 'rename-item', rni: 'rename-item', ni: 'new-item', md: 'new-item', mkdir: 'new-item', sc: 'set-content', ac: 'add-content', clc: 'clear-content', tee: 'tee-object', si: 'set-item', sp: 'set-itemproperty', cli: 'clear-item', clp: 'clear-itemproperty', mp: 'move-itemproperty', epcsv: 'export-csv', ogv: 'out-gridview',
  iex: 'invoke-expression', icm: 'invoke-command', ii: 'invoke-item', ipmo: 'import-module', nmo: 'new-module', sajb: 'start-job', iwr: 'invoke-webrequest', curl: 'invoke-webrequest', wget: 'invoke-webrequest', irm: 'invoke-restmethod', saps: 'start-process', start: 'start-process', spps: 'stop-process', kill: 'stop-process', ps: 'get-process', gps: 'get-process', gsv: 'get-service', sasv: 'start-service', spsv: 'stop-service', nsn: 'new-pssession', etsn: 'enter-pssession', sal: 'set-alias', nal: 'new-alias', sv: 'set-variable', set: 'set-variable', nv: 'new-variable', gv: 'get-variable', iwmi: 'invoke-wmimethod', gwmi: 'get-wmiobject', ihy: 'invoke-history', r: 'invoke-history', sbp: 'set-psbreakpoint', ndr: 'new-psdrive', mount: 'new-psdrive', gdr: 'get-psdrive', shcm: 'show-command', trcm: 'trace-command', scb: 'set-clipboard', gcb: 'get-clipboard', gtz: 'get-timezone', gin: 'get-computerinfo',
};
const LOOKS = /^(?:get-(?:location|date|random|member|command|help|alias|unique|culture|host|verb|module|timezone|computerinfo|uptime|psdrive|psprovider|executionpolicy|error|formatdata|typedata)|write-(?:host|output|verbose|warning|information|error|debug|progress)|select-object|measure-object|sort-object|group-object|format-(?:table|list|wide|custom|hex)|split-path|join-path|start-sleep|out-(?:string|host|null|default)|convert(?:to-(?:json|csv|html|xml)|from-(?:json|csv|stringdata))|compare-object|clear-host|set-strictmode|new-timespan|test-json|join-string|get-error|tee-object)$/;
const READS: Readonly<Record<string, EffectOperation>> = {
  'get-childitem': 'list', 'get-content': 'read', 'get-item': 'list', 'get-itemproperty': 'list', 'test-path': 'list', 'resolve-path': 'list', 'convert-path': 'list', 'set-location': 'list', 'push-location': 'list', 'pop-location': 'list', 'get-filehash': 'read', 'select-string': 'read', 'import-csv': 'read', 'import-clixml': 'read', 'get-acl': 'list', 'select-xml': 'read', 'get-itempropertyvalue': 'list', 'get-authenticodesignature': 'read', 'unblock-file': 'write',
};
const OBJECTS: readonly (readonly [RegExp, ConcernKey])[] = [
  [/^(?:stop-computer|restart-computer)$/, 'power'], [/^(?:format-volume|clear-disk|initialize-disk|remove-partition|new-partition|set-disk|set-partition|resize-partition|reset-physicaldisk)$/, 'block_device'],
  [/^(?:invoke-expression|invoke-command|invoke-history|start-job|start-threadjob|add-type|new-object|import-module|new-module|install-.*-script|invoke-wmimethod|invoke-cimmethod|enter-pssession|new-pssession|register-engineevent|register-objectevent|set-psbreakpoint|trace-command|foreach-object|where-object|invoke-item|update-typedata|update-formatdata|set-variable|new-variable|set-alias|new-alias|import-alias|set-item|new-psdrive|out-gridview|show-command|use-transaction)$/, 'inline_code'],
  [/^(?:invoke-webrequest|invoke-restmethod|start-bitstransfer|test-netconnection|test-connection|resolve-dnsname|send-mailmessage|new-webserviceproxy|connect-.*)$/, 'network'],
  [/^(?:start-process|set-clipboard|get-clipboard)$/, 'desktop'], [/^(?:stop-process|debug-process|wait-process)$/, 'process_kill'], [/^(?:get-process|get-service|get-ciminstance|get-wmiobject|get-eventlog|get-winevent|get-nettcpconnection|get-history)$/, 'process_list'],
  [/^(?:start|stop|restart|set|suspend|resume|remove)-service$/, 'service_control'], [/^(?:new-service|register-scheduledtask|register-scheduledjob|new-scheduledtask.*|set-scheduledtask|schtasks)$/, 'persistence'],
  [/^(?:set-executionpolicy|enable-.*|disable-.*|set-mppreference|add-mppreference|set-itemproperty|new-itemproperty|remove-itemproperty|clear-itemproperty|move-itemproperty|set-date|set-timezone|rename-computer|add-computer|set-net.*|new-net.*|set-dns.*)$/, 'kernel'],
  [/^(?:set-acl|takeown|icacls|cacls|attrib)$/, 'permissions'], [/^(?:get-credential|convertto-securestring|convertfrom-securestring|get-secret|export-pfxcertificate|cmdkey)$/, 'secret_store'], [/^(?:new|remove|set|add)-local(?:user|group|groupmember)$/, 'account_change'],
  [/^(?:install|update|save|uninstall|register)-(?:module|package|script|psresource|packageprovider|packagesource|psrepository)$/, 'package_install'], [/^publish-(?:module|script|psresource)$/, 'package_publish'], [/^(?:get-variable)$/, 'environment_dump'],
];
const WRITES = /^(?:set-content|add-content|out-file|new-item|copy-item|move-item|rename-item|export-csv|export-clixml|tee-object|expand-archive|compress-archive|export-alias|start-transcript|new-temporaryfile)$/;
const DRIVES = /^(?:env|variable|function|alias):/i;
const SYSTEM_DRIVES = /^(?:hklm|hkcu|hkcr|hku|hkcc|cert|wsman|registry|microsoft\.[\w.\\]+):/i;
const SCRIPT_PARAMETERS = /^-(?:outv\w*|pipelinev\w*|errorv\w*|warningv\w*|informationv\w*|ov|ev|pv|wv|iv|filepath|scriptblock|initializationscript|encodedcommand|command)$/i;

/** PowerShell's own commands, by their full names; aliases are looked up first. False for anything else. */
export function describeCmdlet(draft: Draft, words: readonly PowerWord[]): boolean {
  const written = words[0]?.value.text.toLowerCase() ?? '';
  const name = Object.hasOwn(ALIASES, written) ? ALIASES[written] ?? written : written;
  const rest = draft.argv.slice(1);
  for (const word of rest) if (SCRIPT_PARAMETERS.test(word.text)) draft.raise('program_option', show(word));
  checkDrives(draft, rest);
  const objection = OBJECTS.find(([pattern]) => pattern.test(name))?.[1];
  if (name === 'remove-item' || name === 'clear-content' || name === 'clear-item' || name === 'clear-recyclebin') remove(draft, rest);
  else if (objection === 'network') draft.raise('network', name, rest.find((word) => /^https?:/i.test(word.text))?.text);
  else if (objection !== undefined) draft.raise(objection, name);
  else if (WRITES.test(name)) {
    draft.raise('hidden_write', name);
    for (const word of operands(rest)) draft.touch('write', word);
  } else if (Object.hasOwn(READS, name)) {
    for (const word of operands(rest).slice(name === 'select-string' && !rest.some((item) => /^-path|^-lit|^-pat/i.test(item.text)) ? 1 : 0)) draft.touch(READS[name] ?? 'read', word);
  } else if (!LOOKS.test(name)) return false;
  for (const word of rest) if (word.open) draft.raise('dynamic_argument', show(word));
  return true;
}

function operands(words: readonly Argument[]): readonly Argument[] {
  return words.filter((word, index) => !/^-[A-Za-z]/.test(word.text) && !/^-(?:enc|first|last|skip|tail|head|total|depth|filter|include|exclude|erroraction|ea|property|delimiter|pattern|context|type|itemtype|value|name|algorithm|readcount|raw|width|attributes)/i.test(words[index - 1]?.text ?? ''));
}

function remove(draft: Draft, words: readonly Argument[]): void {
  const whole = words.some((word) => /^-r(?:e|ec|ecu|ecur|ecurs|ecurse)?$/i.test(word.text) || /^\/s$/i.test(word.text));
  for (const word of operands(words)) draft.touch(whole ? 'delete_tree' : 'delete', word);
  draft.raise('delete', whole ? 'recursive' : 'files');
}

function checkDrives(draft: Draft, words: readonly Argument[]): void {
  for (const word of words) {
    if (DRIVES.test(word.text)) draft.raise('environment_dump', show(word));
    if (SYSTEM_DRIVES.test(word.text)) draft.raise('kernel', show(word));
  }
}

const CMD_WORDS = /^(?:dir|echo|whoami|ver|vol|cd|chdir|type|tree|hostname|where|findstr|find|more|sort|fc|help|date|time|path|rem|cls)$/;

/** `cmd`: a single plain command that only looks. Undefined when the line is anything else. */
export function plainCmd(line: string): readonly string[] | undefined {
  if (/[&|<>^%!()"'`,;=\n\r]/.test(line)) return undefined;
  const words = line.trim().split(/\s+/);
  const name = (words[0] ?? '').toLowerCase().replace(/\.exe$/, '');
  if (!CMD_WORDS.test(name) || (/^(?:date|time)$/.test(name) && words.slice(1).some((word) => !/^\/t$/i.test(word)))) return undefined;
  if (name === 'path' && words.length > 1) return undefined;
  return [name, ...words.slice(1)];
}

/** What such a command opens. */
export function describeCmd(draft: Draft): void {
  const reads = /^(?:type|more|sort|fc|findstr|find)$/.test(draft.name);
  const operandsOf = draft.argv.slice(1).filter((word) => !/^\/[A-Za-z]/.test(word.text));
  for (const word of operandsOf.slice(/^find/.test(draft.name) ? 1 : 0)) if (draft.name !== 'echo' && draft.name !== 'rem') draft.touch(reads ? 'read' : 'list', word);
  for (const word of draft.argv.slice(1)) if (/^\/(?:o|g|f):?/i.test(word.text) && /^(?:sort|findstr)$/.test(draft.name)) draft.raise('program_option', show(word));
}
