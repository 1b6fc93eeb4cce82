import { show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ConcernKey } from '../../../core/command/form.ts';
import { parseOptions, optionTable } from '../../../core/command/options.ts';
import { applyOptions } from './table.ts';

const OPTIONS = optionTable(`-s|--silent -q|--quiet -d -D --if-present -w|--workspace=text -ws|--workspaces --include-workspace-root --ignore-scripts --no-audit --no-fund --offline --prefer-offline --json --long --parseable -l -p --all -a --depth=text
  --prefix=folder!project_elsewhere -C|--dir=folder!project_elsewhere --cwd=folder!project_elsewhere --script-shell=program --shell=program --node-options=text!environment_injection --node-args=text!environment_injection --userconfig=read!program_option --globalconfig=read!program_option
  --registry=text!network -g|--global!package_install --loglevel=text --verbose -r|--recursive --filter|-F=text --filter-prod=text --parallel --stream --aggregate-output --no-bail --workspace-root --workspace-concurrency=text --reporter=text --color?text --no-color -v|--version -h|--help --omit=text --include=text --production
  --dev --top-level --bail --watch?text --runInBand --coverage?text --ci --run --frozen-lockfile --immutable --topological --interlaced -i --exclude=text --since?text --no-private -R -A --cache=text --unsafe-perm!privilege --scripts-prepend-node-path!environment_injection --git=program --editor=program --viewer=program --init-module=program`, 'gnu', { leading: false });

const READS = /^(?:ls|list|ll|la|root|bin|prefix|help|why|explain|query|fund|licenses|doctor|ping|config|c|get|pkg|info|search|--version|run|run-script|rum|completion|workspaces|constraints)$/;
const INSTALLS = /^(?:i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|install|add|a|ci|clean-install|ic|install-clean|install-test|it|cit|install-ci-test|update|up|upgrade|udpate|uninstall|un|unlink|remove|rm|r|link|ln|rebuild|rb|dedupe|ddp|prune|shrinkwrap|audit|outdated|view|v|show|import|patch|patch-commit|fetch|store|setup|env|approve-builds|cache|dlx|create|init|innit|set|policies|plugin|node|deploy-local|upgrade-interactive|autoclean|generate-lock-entry|unplug|self-update|pm|migrate|edit|explore|sbom|restart|stop|diff|docs|home|repo|bugs)$/;
const PUBLISHES = /^(?:publish|unpublish|deprecate|dist-tag|dist-tags|owner|author|access|token|login|adduser|add-user|logout|version|team|org|hook|profile|star|unstar|stage|pack|deploy|whoami|trust|undeprecate|otp)$/;
const SERVE_SCRIPT = /^(?:dev|start|serve|preview|watch|develop|storybook|server|tauri|electron|ios|android|open|docker|proxy|tunnel|studio|cypress:open|.*:(?:watch|serve|dev|start|open))$|^(?:dev|start|serve|watch):/;
const RISKY_SCRIPT = /(?:^|[:-])(?:publish|deploy|release|install|postinstall|preinstall|prepare|prepublish\w*|upload|push|migrate|seed|reset|drop|destroy|setup|bootstrap|eject|provision|ship)(?:$|[:-])/;

/** `npm`, `pnpm`, `yarn` and `bun` without their running verbs, which are wrappers. */
export function judgeScripts(draft: Draft): void {
  const words = draft.argv.slice(1);
  const dashes = words.findIndex((word) => word.text === '--');
  const parsed = parseOptions(ownWords(draft.name, dashes === -1 ? words : words.slice(0, dashes)), OPTIONS);
  applyOptions({ ...parsed, unknown: parsed.unknown.filter((name) => !/^-[a-z]$/.test(name) || name === '-e') }, draft);
  const [verb, script, ...rest] = parsed.operands;
  if (verb === undefined) {
    const prints = parsed.options.some(({ spec }) => spec.names.includes('--version') || spec.names.includes('--help'));
    if (!prints) draft.raise(draft.name === 'yarn' ? 'package_install' : 'unknown_option', `${draft.name} without a verb`);
    return;
  }
  const key = verbConcern(draft.name, verb, script, rest);
  if (key !== undefined) draft.raise(key, `${draft.name} ${show(verb)}`);
  if (verb.text === 'pkg' && key !== undefined) draft.touch('write', { ...verb, text: 'package.json' });
}

/** All but npm hand every word after the name of a script to the script. */
function ownWords(tool: string, words: readonly Argument[]): readonly Argument[] {
  if (tool === 'npm') return words;
  const [verb, script] = parseOptions(words, OPTIONS).operands;
  const runs = verb !== undefined && /^(?:run|run-script)$/.test(verb.text);
  const name = runs ? script : verb;
  const named = name !== undefined && (runs || /^(?:t|tst|test)$/.test(name.text) || !(READS.test(name.text) || INSTALLS.test(name.text) || PUBLISHES.test(name.text) || /^(?:exec|x|workspace|workspaces)$/.test(name.text)));
  return named ? words.slice(0, words.indexOf(name) + 1) : words;
}

function verbConcern(tool: string, verb: Argument, script: Argument | undefined, rest: readonly Argument[]): ConcernKey | undefined {
  const { text } = verb;
  if (verb.dynamic) return 'dynamic_argument';
  if (text === 'exec' || text === 'x') return 'package_run';
  if (text === 'test' || text === 't' || text === 'tst') return 'project_code';
  if (text === 'run' || text === 'run-script' || text === 'rum' || text === 'urn' || (text === 'workspace' && tool === 'yarn')) return scriptConcern(text === 'workspace' ? rest[0] : script, tool);
  if (text === 'workspaces' && script?.text === 'run') return scriptConcern(rest[0], tool);
  if (text === 'workspaces' && script?.text === 'foreach') return 'package_run';
  if (text === 'config' || text === 'c') return script === undefined || ['get', 'list', 'ls'].includes(script.text) ? undefined : 'program_option';
  if (text === 'pkg') return script?.text === 'get' ? undefined : 'program_option';
  if (text === 'start' || text === 'stop' || text === 'restart') return 'listener';
  if (PUBLISHES.test(text) && !(text === 'pack' && tool === 'npm')) return 'package_publish';
  if (INSTALLS.test(text) || text === 'pack') return 'package_install';
  if (READS.test(text)) return undefined;
  return tool === 'npm' ? 'unknown_option' : scriptConcern(verb, tool);
}

function scriptConcern(script: Argument | undefined, tool: string): ConcernKey | undefined {
  if (script === undefined) return undefined;
  if (script.dynamic) return 'dynamic_argument';
  if (SERVE_SCRIPT.test(script.text)) return 'listener';
  if (RISKY_SCRIPT.test(script.text)) return 'script_file';
  if (tool === 'bun' && /[./]/.test(script.text) && !/^\.{0,2}[\w/-]+\.[cm]?[jt]sx?$/.test(script.text)) return 'script_file';
  return 'project_code';
}

/** Verbs of other package tools that only print. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  pip: /^(?:list|show|freeze|check|--version|-V|help|inspect|debug)$/, pip3: /^(?:list|show|freeze|check|--version|-V|help|inspect|debug)$/, uv: /^(?:tree|--version|version|help)$/, poetry: /^(?:show|check|--version|env|version|about|list|help)$/, pdm: /^(?:list|show|info|--version)$/, pipenv: /^(?:graph|check|--version|--venv|--where)$/,
  gem: /^(?:list|environment|env|which|contents|specification|help|--version|-v)$/, bundle: /^(?:check|list|show|info|platform|version|--version|licenses|exec)$/, brew: /^(?:list|ls|info|config|doctor|deps|leaves|--version|--prefix|--cellar|uses|desc)$/, apt: /^(?:list|show|policy|depends|--version|-v)$/, 'apt-get': /^(?:--version|-v)$/,
  dpkg: /^(?:-l|--list|-s|--status|-L|--listfiles|-S|--search|--version|-p)$/, rpm: /^-q[ailRcdfp]*$/, conda: /^(?:list|info|--version)$/, rustup: /^(?:show|--version|which|target|component|toolchain)$/, nvm: /^(?:ls|list|current|which|--version)$/, pyenv: /^(?:versions|version|which|root|--version)$/, rbenv: /^(?:versions|version|which|root|--version)$/,
  asdf: /^(?:list|current|where|which|--version)$/, hatch: /^(?:test|fmt|version|status|--version)$/, rye: /^(?:test|lint|fmt|show|--version)$/, volta: /^(?:list|which|--version)$/, corepack: /^--version$/, snap: /^(?:list|info|version)$/, flatpak: /^(?:list|info|--version)$/, mise: /^(?:ls|list|current|where|which|version|--version)$/,
};

export function onlyPrints(draft: Draft): boolean {
  const pattern = Object.hasOwn(PRINTS, draft.name) ? PRINTS[draft.name] : undefined;
  const words = draft.argv.slice(1);
  const verb = words.find((word) => !/^-(?:q|v|-quiet|-verbose|-no-color)$/.test(word.text));
  if (pattern === undefined || verb === undefined || verb.dynamic) return false;
  if (['target', 'component', 'toolchain'].includes(verb.text)) return words[1]?.text === 'list';
  if (verb.text === 'env' && draft.name === 'poetry') return ['info', 'list'].includes(words[1]?.text ?? '');
  return pattern.test(verb.text) && words.every((word) => !/^--(?:log|report|output|target|python|index-url|find-links|extra-index-url|fix|set|delete)/.test(word.text));
}
