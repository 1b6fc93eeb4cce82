import type { Draft } from '../../../core/command/analyse/draft.ts';
import { show, type Argument } from '../../../core/command/argument.ts';
import type { ConcernKey } from '../../../core/command/form.ts';

/**
 * Tools that run code of the project: allowed only confined. `verbs`: the first words they may take (undefined: any);
 * `asks`: words that do more than run the project; `options`: options that load a program or leave the project.
 */
export interface Runner {
  readonly verbs: RegExp | undefined;
  readonly asks: readonly (readonly [RegExp, ConcernKey])[];
  readonly options: RegExp | undefined;
}

function runner(verbs?: RegExp, options?: RegExp, asks: readonly (readonly [RegExp, ConcernKey])[] = []): Runner {
  return { verbs, asks, options };
}

const INSTALLS = [/^(?:install|add|remove|uninstall|upgrade|update|get|fetch|download|restore|vendor|require|sync|link|tool|workload|init|new|create|self-update|self|global|login|logout|search|outdated|audit|deps\.get|deps\.update|local\.hex|archive\.install|resolve|clone|lock|require-dev|self-upgrade)$/, 'package_install'] as const;
const PUBLISHES = [/^(?:publish|push|deploy|release|nuget|yank|owner|hex\.publish|site-deploy|release:.*|publish.*|uploadArchives)$/, 'package_publish'] as const;
const SERVES = [/^(?:serve|server|dev|start|preview|runserver|watch|run-server|s|phx\.server|bootRun|runIde|open|ui|studio|repl|console|shell|dbconsole|c)$/, 'listener'] as const;
const COMMON = [INSTALLS, PUBLISHES, SERVES];
const ANY = runner();

const ROWS: readonly (readonly [string, Runner])[] = [
  ['pytest py.test unittest nose2 nosetests tox nox ward', runner(undefined, /^-c$|^--(?:pdbcls|import-mode|confcutdir|ba[a-z]*)/)],
  ['ruff', runner(/^(?:check|format|rule|config|linter|version|clean|analyze|help)$/)],
  ['black mypy pyright basedpyright pylint flake8 isort autopep8 yapf pydocstyle pycodestyle bandit vulture coverage pyflakes dmypy pytype codespell radon interrogate djlint', runner(undefined, /^--install-types$/, [[/^(?:upload)$/, 'network']])],
  ['tsc vue-tsc tsd svelte-check eslint prettier stylelint biome oxlint oxfmt standard xo tslint markdownlint markdownlint-cli2 cspell knip depcheck madge dprint ls-lint publint attw size-limit commitlint remark textlint alex htmlhint', runner(undefined, /^--(?:rulesdir|resolve-plugins-relative-to|plugin|config-path|stdin-filepath)?$|^@/, [[/^(?:migrate|login|init|lsp-proxy|start)$/, 'listener']])],
  ['jest vitest mocha ava tap tape uvu c8 nyc karma jasmine qunit wtr web-test-runner cypress playwright testcafe nightwatch borp bats', runner(undefined, /^-r$|^--(?:require|import|loader|ui|api|inspect.*)$|^(?:--config=|-c=?)?\{/, [[/^(?:open|install|install-deps|codegen|show-report|show-trace|init|dev)$/, 'listener']])],
  ['webpack rollup esbuild swc babel tsup unbuild parcel vite next nuxt nuxi astro remix svelte-kit gatsby ng vue-cli-service react-scripts rspack rsbuild tsdown microbundle ncc pkgroll gulp grunt sass postcss tailwindcss lessc lightningcss terser', runner(undefined, /^--(?:serve.*|servedir.*|watch)$|^-w$/, COMMON)],
  ['turbo nx lerna rush moon wireit lage bazel bazelisk buck buck2 pants please', runner(undefined, /^--(?:remote.*|token.*|team.*)$/, [...COMMON, [/^(?:run|exec)$/, 'project_code'], [/^(?:import|bootstrap|generate|migrate|connect|unlink)$/, 'package_install']])],
  ['rspec rubocop minitest standardrb cucumber reek brakeman srb steep erblint haml-lint', ANY],
  ['rails rake', runner(undefined, undefined, [...COMMON, [/^(?:db:(?:drop|reset|purge|setup|seed|schema:load|migrate:reset|truncate_all).*|credentials:.*|runner|r|destroy|generate|g|d)$/, 'database']])],
  ['phpunit phpstan psalm phpcs phpcbf pest php-cs-fixer rector phpmd infection deptrac ecs pint', ANY],
  ['artisan', runner(undefined, undefined, [...COMMON, [/^(?:migrate.*|db:.*|tinker|serve)$/, 'database']])],
  ['composer', runner(/^(?:test|validate|check|lint|run-script|run|dump-autoload|show|diagnose|licenses|about|check-platform-reqs|depends|why|prohibits|fund|status|analyse|phpstan|cs|format)$/, /^-d$|^--working-dir/, COMMON)],
  ['cargo', runner(/^(?:\+.*|build|b|check|c|test|t|clippy|fmt|doc|bench|run|r|tree|metadata|nextest|clean|rustc|verify-project|pkgid|locate-project|version|help|machete|deny|expand|miri|hack|llvm-cov|tarpaulin|read-manifest|config|fix|report|info)$/, /^-C$|^-C.|^--(?:config|manifest-path|target-dir|artifact-dir|out-dir)$|^-Z/, [...COMMON, [/^(?:generate-lockfile|binstall)$/, 'package_install'], [/^\+/, 'package_install']])],
  ['rustc', runner(undefined, /^-C$|^-Clinker.*|^-Z/)], ['rustfmt rust-analyzer', ANY],
  ['go', runner(/^(?:build|test|vet|fmt|list|doc|env|version|run|tool|clean|mod|generate|work|fix|help|bug)$/, /^--?(?:C|toolexec|exec|vettool|overlay|pkgdir|modfile|ldflags|gcflags)(?:=|$)|^-C./, [[/^(?:install|get)$/, 'package_install'], [/^(?:generate)$/, 'project_code']])],
  ['gofmt goimports golangci-lint staticcheck gofumpt revive gotestsum ginkgo', ANY],
  ['make gmake bmake', runner(undefined, /^-[a-zA-Z]*[fI]|^--(?:file|makefile|include-dir|eval|fi|mak|inc|ev|C).*|^(?:SHELL|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|\.SHELLFLAGS)\s*[:+?]?=|\$[({]|^DESTDIR=|^PREFIX=/, [[/^(?:install.*|uninstall|deploy.*|publish.*|release.*|push.*|run|serve|start|dev|up|down|docker.*|destroy|provision|db-.*|migrate.*)$/, 'script_file']])],
  ['just task mage invoke inv doit nox', runner(undefined, /^-f$|^--(?:justfile|working-directory|taskfile|dir|shell.*|set|command)/, [[/^(?:install.*|deploy.*|publish.*|release.*|push.*|serve|start|dev|up|down)$/, 'script_file']])],
  ['cmake', runner(undefined, /^-[EP]$|^-P.*|^--(?:install|open|find-package)$|^-D(?:CMAKE_C(?:XX)?_COMPILER|CMAKE_.*LAUNCHER|CMAKE_.*LINKER|CMAKE_TOOLCHAIN_FILE|CMAKE_MAKE_PROGRAM).*/)],
  ['ctest ninja meson scons waf qmake autoconf automake autoreconf configure', runner(undefined, /^-[fS]$|^--(?:build-and-test|script|overwrite)/, [[/^(?:install|uninstall|dist)$/, 'script_file']])],
  ['gcc g++ cc c++ clang clang++ ld ar ranlib nm objdump readelf size clang-format clang-tidy cppcheck ccache as otool lipo', runner(undefined, /^-(?:fplugin|wrapper|B|specs|fuse-ld|Xclang|load|fpass-plugin|mllvm).*|^-specs|^@/)],
  ['javac javap jar kotlinc-jvm ktlint detekt checkstyle spotbugs google-java-format scalac scalafmt', runner(undefined, /^-J.*|^-(?:processor|processorpath|agentlib|javaagent).*|^@/)],
  ['mvn mvnw', runner(undefined, /^-(?:f|s|gs|t|gt|l)$|^--(?:file|settings|global-settings|toolchains|log-file)$|^-D(?:exec\.|maven\.ext).*/, [[/^(?:deploy|site-deploy|release:.*|install|exec:.*|dependency:(?:get|copy|unpack).*|spring-boot:run|jetty:run.*|tomcat.*|versions:.*|wrapper:.*|archetype:.*|scm:.*|gpg:.*)$/, 'package_install']])],
  ['gradle gradlew', runner(undefined, /^-[pIbcg]$|^-I.*|^--(?:project-dir|init-script|build-file|settings-file|gradle-user-home|include-build|project-cache-dir)/, [[/publish|upload|deploy|release|bootrun|^run$|install|wrapper|^init$/i, 'package_publish']])],
  ['sbt mill lein boot ant', runner(undefined, /^-(?:buildfile|file|f|lib)$|^-D.*(?:repo|boot).*/, [[/publish|deploy|upload|^run$|console|repl|install|release/i, 'package_publish']])],
  ['dotnet', runner(/^(?:build|test|format|clean|msbuild|--info|--version|--list-sdks|--list-runtimes|run|list|sln|fsi|help|vstest)$/, /^--(?:additionalprobingpath|roll-forward|fx-version)$|^-p:.*(?:Exec|Path).*/, COMMON)],
  ['msbuild xbuild nunit3-console xunit.console vstest.console', ANY],
  ['swift', runner(/^(?:test|build|run|format|--version|package|lint)$/, /^-(?:Xlinker|Xcc|Xswiftc|load-plugin.*)$|^--(?:package-path|toolchain|disable-sandbox)$/, COMMON)],
  ['swiftc swiftlint swiftformat xcodebuild', runner(undefined, /^-load-plugin.*/, [[/^(?:archive|-exportArchive|install)$/, 'package_publish']])],
  ['mix', runner(/^(?:test|compile|format|credo|dialyzer|docs|deps|help|xref|coveralls.*|sobelow|do|clean|ecto\.migrations)$/, undefined, [...COMMON, [/^(?:ecto\..*|run|eval|release.*|phx\..*)$/, 'database']])],
  ['rebar3 gleam stack cabal ghc hlint ormolu fourmolu dune ocamlfind zig nimble nim crystal shards v odin gprbuild alr elm elm-test elm-format purs spago rescript', runner(undefined, /^--(?:eval|exec)$|^-e$/, COMMON)],
  ['flutter dart melos', runner(/^(?:test|analyze|format|build|--version|doctor|compile|fix|info|run|doc)$/, undefined, COMMON)],
  ['deno', runner(/^(?:test|lint|fmt|check|bench|coverage|doc|info|task|run|types|--version|compile|bundle)$/, /^-A$|^--allow-.*|^--(?:import-map|config|unsafely.*|inspect.*|location|cert|preload|import)|^-r$|^https?:/, [[/^(?:install|i|add|remove|publish|upgrade|deploy|eval|repl|serve|jupyter|x|uninstall|outdated|update|init|jsr)$/, 'package_install']])],
  ['tsx ts-node ts-node-esm swc-node esno babel-node jiti vite-node', runner(undefined, /^-[erpi]$|^--(?:eval|print|require|import|loader|interactive|inspect.*|env-file|tsconfig|project)/)],
  ['protoc buf', runner(undefined, /^--plugin|^--.*_out=.*:\//, COMMON)],
  ['phpdoc sphinx-build mkdocs jsdoc typedoc doxygen pdoc asciidoctor pandoc mdbook hugo jekyll eleventy docusaurus vuepress vitepress antora', runner(undefined, /^--(?:filter|lua-filter|pdf-engine|extract-media|include.*|require)|^-[FLr]$|^-o$/, COMMON)],
  ['actionlint semgrep gitleaks trufflehog syft tflint checkov kubeconform conftest opa ajv', runner(undefined, undefined, [[/^(?:login|publish|push|ci)$/, 'network']])],
  ['changelog-cli pkg-config jo getopt xmllint tidy htmlq pup dasel gron miller mlr csvlook csvcut csvgrep csvstat csvsort xsv qsv hyperfine', runner(undefined, /^(?:-i|--in-?place|-o|--output.*|--html-out.*)$/)],
];

export const RUNNERS: ReadonlyMap<string, Runner> = new Map(ROWS.flatMap(([names, entry]) => names.split(/\s+/).map((name) => [name, entry] as const)));

/** Judges a tool of the project by its first words. */
export function judgeRunner(entry: Runner, draft: Draft, words: readonly Argument[] = draft.argv.slice(1)): void {
  const dashes = words.findIndex((word) => word.text === '--');
  const chosen = draft.name === 'cargo' && /^\+[\w.-]+$/.test(words[0]?.text ?? '') ? 1 : 0;
  const own = words.slice(chosen, dashes === -1 ? undefined : dashes);
  touchOutputs(own, draft);
  const plain = own.filter((word) => !word.text.startsWith('-'));
  const [verb] = plain;
  for (const word of own) {
    if (word.dynamic && (word.text.startsWith('-') && word.open || FOLDER_OPTION.test(word.text))) draft.raise('dynamic_argument', show(word));
    const [name = ''] = word.text.split(/(?<=^--?[^=]*)=/);
    if (entry.options?.test(word.text) === true || entry.options?.test(name) === true) draft.raise('program_option', `${draft.name} ${show(word)}`);
  }
  for (const word of plain) {
    const asked = entry.asks.find(([pattern]) => pattern.test(word.text));
    if (asked !== undefined && asked[1] !== 'project_code') draft.raise(asked[1], `${draft.name} ${show(word)}`);
    if (entry.verbs !== undefined) break;
  }
  const first = own.find((word) => entry.verbs?.test(word.text) === true);
  if (entry.verbs !== undefined && verb !== undefined && !entry.verbs.test(verb.text) && draft.concerns.every(({ key }) => key === 'project_code')) draft.raise('unknown_option', `${draft.name} ${show(verb)}`);
  if (entry.verbs !== undefined && verb === undefined && first === undefined && !own.some((word) => /^-(?:-version|-help|V|h|v|vV)$/.test(word.text))) draft.raise('unknown_option', `${draft.name} without a verb`);
  if (draft.name === 'go' && verb !== undefined && /^(?:mod|env|work|run)$/.test(verb.text)) judgeGoVerb(plain, own, draft);
  draft.raise('project_code', draft.name);
}

const FOLDER_OPTION = /^(?:-C|--(?:directory|dir|cwd)(?:=|$))/;
const OUTPUT_OPTION = /^--?(?:o|out|out-?(?:file|dir)|output(?:-?(?:file|dir|path|directory))?|junit-?xml|report-?(?:file|dir)|log-?file|coverage-?(?:dir|directory)|cache-?(?:dir|directory|location|file))$/i;

/** Where a tool is told to put its result, and where it is told to work, is judged like any other path. */
function touchOutputs(own: readonly Argument[], draft: Draft): void {
  for (const [index, word] of own.entries()) {
    const at = word.text.indexOf('=');
    const next = own[index + 1];
    if (at > 0 && OUTPUT_OPTION.test(word.text.slice(0, at))) draft.touch('write', { ...word, text: word.text.slice(at + 1) });
    else if (OUTPUT_OPTION.test(word.text) && next !== undefined && !next.text.startsWith('-')) draft.touch('write', next);
    else if (/^-o[^=]/.test(word.text) && COMPILERS.test(draft.name)) draft.touch('write', { ...word, text: word.text.slice(2) });
    if (FOLDER_OPTION.test(word.text) && next !== undefined && (next.dynamic || next.glob)) draft.raise('dynamic_argument', show(next));
  }
}

const COMPILERS = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|rustc|swiftc)$/;

function judgeGoVerb(plain: readonly Argument[], own: readonly Argument[], draft: Draft): void {
  const second = plain[1]?.text ?? '';
  if (plain[0]?.text === 'mod' && !/^(?:graph|why|verify|help)$/.test(second)) draft.raise('package_install', `go mod ${second}`);
  if (plain[0]?.text === 'work' && second !== 'help') draft.raise('package_install', `go work ${second}`);
  if (plain[0]?.text === 'run' && plain.some((word) => word.text.includes('@'))) draft.raise('package_run', `go run ${second}`);
  if (plain[0]?.text === 'env' && own.some((word) => /^-[wu]$/.test(word.text))) draft.raise('program_option', 'go env -w');
}
