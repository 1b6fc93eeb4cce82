import { CHANGES, canBe, folded, inHome, inWorkspace, relativeParts, type PathRule, type PathSubject } from '../subject.ts';

/** Folders whose every file configures or starts something. */
const FOLDERS: readonly string[] = ['.git', '.vscode', '.idea', '.devcontainer', '.husky', '.github', '.gitlab', '.circleci', '.buildkite', '.azure-pipelines', '.cursor', '.roo', '.kilo', '.codex', '.continue', '.windsurf', '.zed', '.fleet', '.direnv', '.yarn', '.mvn', '.bundle', '.config', '.githooks', '.hooks', '.lefthook', '.pnp', '.vs', '.run', '.gemini', '.aider', '.amazonq', '.kiro', '.qwen', '.opencode', '.augment', '.trae', '.cargo'];
/** Agents' folders: what runs or instructs, not every file in them. */
const AGENT_PARTS = /^(?:commands|agents|hooks|skills|plugins|output-styles|rules|settings.*\.json|mcp.*\.json|claude\.md|agents\.md|statusline.*)$/;
const FILES = new RegExp(`^(?:${[
  '.+\\.code-workspace', '\\.mcp\\.json', 'mcp\\.json', '\\.envrc', '\\.npmrc', '\\.yarnrc(?:\\.yml)?', '\\.pnpmfile\\.c?js', '\\.pnp\\.c?js', 'pnpm-workspace\\.yaml', 'bunfig\\.toml', '\\.nvmrc', '\\.tool-versions', '\\.python-version', '\\.ruby-version', 'mise\\.toml', '\\.mise\\.toml',
  '\\.git(?:config|modules|attributes)', '\\.gitlab-ci\\.yml', 'azure-pipelines\\.yml', 'bitbucket-pipelines\\.yml', '\\.travis\\.yml', 'appveyor\\.yml', '\\.drone\\.yml', 'jenkinsfile', 'cloudbuild\\.ya?ml', '\\.pre-commit-config\\.yaml', 'lefthook\\.ya?ml', '\\.lintstagedrc.*', 'lint-staged\\.config\\..*', '\\.huskyrc.*',
  'gnumakefile', 'makefile', '.+\\.mk', 'justfile', 'taskfile\\.ya?ml', 'rakefile', 'gulpfile\\..*', 'gruntfile\\..*', 'dockerfile.*', 'docker-compose.*\\.ya?ml', 'compose\\.ya?ml', 'vagrantfile', 'procfile', 'containerfile',
  'package\\.json', 'package-lock\\.json', 'npm-shrinkwrap\\.json', 'yarn\\.lock', 'pnpm-lock\\.yaml', 'bun\\.lockb?', 'composer\\.(?:json|lock)', 'gemfile(?:\\.lock)?', 'cargo\\.toml', 'build\\.rs', 'go\\.mod', 'go\\.work', 'pom\\.xml', '(?:settings|build)\\.gradle(?:\\.kts)?', 'gradle\\.properties', 'gradlew(?:\\.bat)?', 'mvnw(?:\\.cmd)?', 'gradle-wrapper\\.properties', 'mix\\.exs', 'build\\.sbt', 'cmakelists\\.txt', 'meson\\.build', 'build\\.zig', 'nuget\\.config', 'directory\\.build\\.(?:props|targets)', '.+\\.csproj',
  'setup\\.(?:py|cfg)', 'pyproject\\.toml', 'tox\\.ini', 'noxfile\\.py', 'pytest\\.ini', 'conftest\\.py', 'sitecustomize\\.py', 'usercustomize\\.py', 'requirements.*\\.txt', 'pipfile(?:\\.lock)?', 'poetry\\.lock', 'uv\\.lock', '.+\\.pth',
  '(?:jest|vitest|vite|webpack|rollup|babel|eslint|prettier|playwright|cypress|karma|next|nuxt|svelte|astro|tailwind|postcss|metro|tsup|esbuild|wdio|stylelint|commitlint|release|renovate|turbo|nx|rspack|remix|gatsby|vue)[.-]?(?:\\w+\\.)?config(?:\\.\\w+)?\\.(?:[cm]?[jt]s|json)', '\\.(?:babel|eslint|prettier|stylelint|swc|mocha|nyc|postcss|commitlint|tern|jshint)rc(?:\\..*)?', 'turbo\\.json', 'nx\\.json', 'lerna\\.json', 'tsconfig.*\\.json', 'deno\\.jsonc?', 'biome\\.jsonc?', 'angular\\.json', 'renovate\\.json',
  '\\.(?:bash|zsh|ksh|csh|tcsh)?(?:rc|_profile|_login|_logout|_aliases)', '\\.(?:profile|bashrc|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|login|inputrc|vimrc|exrc|gdbinit|lldbinit|pythonrc|irbrc|pryrc|psqlrc|sqliterc|curlrc|wgetrc|screenrc|tmux\\.conf|xinitrc|xprofile|xsession|ripgreprc|rgignore|ackrc|nanorc|emacs|lesskey|editorconfig|dircolors)',
  '(?:claude|agents|gemini|copilot-instructions|qwen|codex|cursor|warp)(?:\\.local)?\\.md', '\\.(?:cursorrules|windsurfrules|clinerules|roomodes|roorules|aider\\.conf\\.yml|goosehints|kilocodemodes)', 'crontab', '.+\\.(?:service|timer|desktop|plist)',
].join('|')})$`);
const LOCKS = /^(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock|gemfile\.lock|poetry\.lock|uv\.lock|pipfile\.lock)$/;
const EXECUTED = /^(?:node_modules|vendor|\.venv|venv|site-packages|__pypackages__)$/;

/** The list "configures or executes": files with the power of code, whatever they look like. */
export const configures: PathRule = {
  id: 'path/configures', patternKey: 'configures_or_executes', sensitive: true,
  reason: 'The file configures tools or makes code run',
  banner: 'This file runs code or changes settings.',
  instead: 'Propose the change as text and let the person apply it.',
  judge: (subject) => {
    if (!CHANGES.has(subject.operation) || subject.target.real === '') return undefined;
    const parts = relativeParts(subject) ?? (inHome(subject) || !inWorkspace(subject) ? folded(subject.target.real) : []);
    if (parts[0] === '.git' || parts.includes('.git')) return subject.by === 'tool' ? 'deny' : 'ask';
    return powerful(parts, subject) ? 'ask' : undefined;
  },
  examples: {
    hit: [{ operation: 'write', path: '.vscode/settings.json' }, { operation: 'write', path: '.envrc' }, { operation: 'write', path: 'project.code-workspace' }, { operation: 'write', path: '.husky/pre-commit' }, { operation: 'write', path: '.git/hooks/post-checkout' }, { operation: 'write', path: 'package.json' }, { operation: 'write', path: '.MCP.json' }, { operation: 'write', path: '.claude/commands/test.md' }, { operation: 'write', path: 'node_modules/.bin/tsc' }, { operation: 'write', path: '~/.bashrc' }, { operation: 'write', path: '.github/workflows/ci.yml' }],
    miss: [{ operation: 'write', path: 'src/a.ts' }, { operation: 'write', path: '.gitignore' }, { operation: 'read', path: 'package.json' }, { operation: 'write', path: '.claude/notes.txt' }, { operation: 'write', path: 'docs/makefile.md' }, { operation: 'delete_tree', path: 'node_modules' }],
  },
};

function powerful(parts: readonly string[], subject: PathSubject): boolean {
  const last = parts[parts.length - 1] ?? '';
  const removes = subject.operation === 'delete_tree' || subject.operation === 'delete';
  if (parts.some((part) => FOLDERS.some((folder) => canBe(part, folder)))) return true;
  const agent = parts.findIndex((part) => part === '.claude' || part === '.agents');
  if (agent !== -1 && (agent === parts.length - 1 || AGENT_PARTS.test(parts[agent + 1] ?? ''))) return true;
  if (parts.some((part, index) => EXECUTED.test(part) && (index < parts.length - 1 || !removes))) return parts.length > 1 || !removes;
  if (LOCKS.test(last) && removes) return false;
  if (/[*?[]/.test(last)) return /^\.[^*]/.test(last) || /^(?:make|package|docker)/.test(last);
  return FILES.test(last);
}
