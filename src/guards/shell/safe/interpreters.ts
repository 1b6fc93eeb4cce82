import { show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import { isWithin, targetsOf } from '../../../core/command/place.ts';
import { judgeRunner, RUNNERS } from './runners.ts';

interface Interpreter {
  /** Short letters that take code as their value or turn it on; found inside bundles too. */
  readonly code: RegExp;
  /** Options with a value in the next word, without effect. */
  readonly values: RegExp;
  /** Options that load or run something before the script. */
  readonly loads: RegExp;
  /** Options that need no script and have no effect. */
  readonly alone: RegExp;
  readonly module?: RegExp;
}

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: { code: /^-[a-zA-Z]*c/, values: /^-[a-zA-Z]*[WX]$|^--check-hash-based-pycs$/, loads: /^-[a-zA-Z]*i/, alone: /^(?:--version|-V|-VV|--help|-h)$/, module: /^-[a-zA-Z]*m/ },
  node: { code: /^-[a-z]*[ep]$|^--(?:eval|print)(?:=|$)|^-pe$/, values: /^--(?:test-name-pattern|test-reporter|test-reporter-destination|test-concurrency|conditions|stack-trace-limit|max-old-space-size|title|test-timeout|test-skip-pattern|test-shard)$|^-C$/, loads: /^-r$|^-r.|^--(?:require|import|loader|experimental-loader|env-file.*|inspect.*|require-module|openssl-config|icu-data-dir|diagnostic-dir|report-dir.*|redirect-warnings|snapshot-blob|build-snapshot|prof.*|cpu-prof.*|heap-prof.*|trace-event.*|experimental-default-config-file|experimental-config-file|run)(?:=|$)|^-i$/, alone: /^(?:--version|-v|--help|-h|--v8-options|--completion-bash)$/ },
  ruby: { code: /^-[a-zA-Z]*[enp]/, values: /^$/, loads: /^-[a-zA-Z]*[rICS]|^--(?:require|enable|disable)/, alone: /^(?:--version|-v|--help|-h|--copyright)$/ },
  perl: { code: /^-[a-zA-Z0-9]*[eEnpix]/, values: /^$/, loads: /^-[MmIdDuUC]|^-[a-zA-Z]*[sS]/, alone: /^(?:--version|-v|--help|-h|-V)$/ },
  php: { code: /^-[a-z]*[rBREF]/, values: /^$/, loads: /^-[a-z]*[dSczt]|^--(?:define|server|php-ini|zend-extension|docroot|rf|re)/, alone: /^(?:--version|-v|--help|-h|-m|-i|--ini)$/ },
  java: { code: /^$/, values: /^-(?:cp|classpath)$|^--(?:class-path|module-path|add-opens|add-modules)$/, loads: /^-(?:javaagent|agentlib|agentpath|Xbootclasspath|XX:On).*|^@/, alone: /^-{1,2}(?:version|help|showversion)$/ },
  elixir: { code: /^-[er]$|^--(?:eval|rpc-eval)$/, values: /^$/, loads: /^-[rS]$|^--(?:erl|remsh)/, alone: /^(?:--version|-v|--help|-h)$/ },
};
const MODULES = new Set(['pytest', 'unittest', 'mypy', 'black', 'ruff', 'flake8', 'pylint', 'isort', 'coverage', 'tox', 'nox', 'compileall', 'py_compile', 'json.tool', 'doctest', 'pyflakes', 'bandit', 'yapf', 'autopep8', 'pyright', 'sphinx', 'mkdocs', 'tabnanny', 'build', 'this', 'platform', 'dis', 'ast', 'tokenize', 'calendar']);
const LIST_ONLY = /^(?:list|show|freeze|check|--version|-V|help|config|debug|inspect)$/;

export function interpreterOf(name: string): string | undefined {
  if (/^(?:python|pypy)(?:\d+(?:\.\d+)?)?w?$/.test(name)) return 'python';
  if (/^node(?:js)?\d*$/.test(name)) return 'node';
  if (/^(?:ruby|perl|php)\d*(?:\.\d+)*$/.test(name)) return name.replace(/[\d.]+$/, '');
  return name === 'java' || name === 'elixir' ? name : undefined;
}

/** `python`, `node` and their kind: a script of the workspace runs confined; code on the line is asked. */
export function judgeInterpreter(kind: string, draft: Draft): void {
  const entry = INTERPRETERS[kind];
  if (entry === undefined) return;
  const words = draft.argv.slice(1);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (word.open) draft.raise('dynamic_argument', show(word));
    if (word.text === '-') break;
    if (!word.text.startsWith('-')) {
      judgeScript(kind, word, words.slice(index + 1), draft);
      return;
    }
    if (entry.alone.test(word.text) && words.length === 1) return;
    if (kind === 'node' && /^--test$|^--check$|^-c$/.test(word.text)) return judgeNodeTest(words, entry, draft);
    if (entry.code.test(word.text)) return draft.raise('inline_code', `${draft.name} ${show(word).slice(0, 20)}`);
    if (entry.module?.test(word.text) === true) return judgeModule(word, words.slice(index + 1), draft);
    if (kind === 'php' && word.text === '-l') return touchAll(words.slice(index + 1), draft);
    if (kind === 'java' && word.text === '-jar') continue;
    if (kind === 'php' && word.text === '-S') draft.raise('listener', 'php -S');
    else if (entry.loads.test(word.text)) draft.raise('program_option', `${draft.name} ${show(word)}`);
    else if (entry.values.test(word.text)) index += 1;
  }
  draft.raise(draft.input.kind === 'inherited' ? 'interactive' : 'interpreter_input', draft.name);
}

function touchAll(words: readonly Argument[], draft: Draft): void {
  for (const word of words) if (!word.text.startsWith('-')) draft.touch('read', word);
}

function judgeNodeTest(words: readonly Argument[], entry: Interpreter, draft: Draft): void {
  for (const word of words) {
    if (entry.code.test(word.text)) draft.raise('inline_code', 'node -e');
    else if (entry.loads.test(word.text)) draft.raise('program_option', `node ${show(word)}`);
  }
  draft.raise('project_code', 'node --test');
}

/** A script inside the workspace is code of the project; anywhere else it is not. */
function judgeScript(kind: string, script: Argument, rest: readonly Argument[], draft: Draft): void {
  draft.touch('read', script);
  const targets = targetsOf(script, draft.directories, draft.place);
  const inside = targets.length > 0 && targets.every((target) => !target.uncertain && !target.glob && draft.place.roots.some((root) => isWithin(target.real, root)));
  const base = script.text.split('/').pop() ?? '';
  if (!inside || kind === 'java') {
    draft.raise('script_file', show(script));
    return;
  }
  if (RUNNERS.has(base)) {
    judgeRunner(RUNNERS.get(base) ?? { verbs: undefined, asks: [], options: undefined }, draft, rest);
    return;
  }
  const [verb] = rest;
  if (base === 'manage.py' && verb !== undefined && !/^(?:test|check|showmigrations|makemigrations|collectstatic|compilemessages|diffsettings|sqlmigrate|inspectdb|help|version)$/.test(verb.text)) draft.raise('listener', `manage.py ${show(verb)}`);
  if (base === 'setup.py' && verb !== undefined && !/^(?:build|build_ext|check|test|--version|--name|sdist|bdist_wheel)$/.test(verb.text)) draft.raise('package_install', `setup.py ${show(verb)}`);
  if (/^(?:install|deploy|publish|release|upload|setup|bootstrap)\b/i.test(base) && base !== 'setup.py') draft.raise('script_file', show(script));
  draft.raise('project_code', show(script));
}

function judgeModule(option: Argument, rest: readonly Argument[], draft: Draft): void {
  const glued = option.text.slice(option.text.indexOf('m') + 1);
  const name = glued === '' ? rest[0]?.text ?? '' : glued;
  const after = glued === '' ? rest.slice(1) : rest;
  if (name === 'pip') {
    if (!LIST_ONLY.test(after[0]?.text ?? '') || (after[0]?.text === 'config' && after[1]?.text !== 'list' && after[1]?.text !== 'get')) draft.raise('package_install', 'pip');
  } else if (name === 'http.server' || name === 'SimpleHTTPServer' || name === 'smtpd' || name === 'xmlrpc.server') draft.raise('listener', name);
  else if (name === 'venv' || name === 'virtualenv' || name === 'ensurepip') draft.raise('package_install', name);
  else if (!MODULES.has(name)) draft.raise('inline_code', `${draft.name} -m ${name.slice(0, 40)}`);
  else {
    judgeRunner(RUNNERS.get(name) ?? { verbs: undefined, asks: [], options: undefined }, draft, after);
  }
}
