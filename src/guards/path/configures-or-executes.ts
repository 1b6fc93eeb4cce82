import type { Guard } from '../../core/chain/04-guard.ts';
import { foldedSegments, hasRun, isWrite, pathsOf } from './resources.ts';

/** Folders whose files configure the editor, git, CI or another agent, or run by themselves. */
const FOLDERS: readonly (readonly string[])[] = [
  ['.vscode'], ['.devcontainer'], ['.husky'], ['.idea'], ['.github', 'workflows'], ['.github', 'agents'], ['.github', 'actions'], ['.circleci'], ['.gitlab'],
  ['.claude'], ['.cursor'], ['.roo'], ['.kilo'], ['.kilocode'], ['.codex'], ['.gemini'], ['.continue'], ['.windsurf'], ['node_modules', '.bin'],
];
const NAMES: ReadonlySet<string> = new Set([
  '.envrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.mcp.json', 'mcp.json', '.gitattributes', '.gitmodules', '.gitlab-ci.yml', 'azure-pipelines.yml', 'jenkinsfile',
  'package.json', 'makefile', 'gnumakefile', 'justfile', 'taskfile.yml', 'rakefile', 'build.rs', 'setup.py', 'conftest.py', 'pyproject.toml', 'tox.ini', 'noxfile.py',
  'build.gradle', 'build.gradle.kts', 'settings.gradle', 'pom.xml', 'cmakelists.txt', 'dockerfile', 'docker-compose.yml', 'compose.yml', 'compose.yaml', 'vagrantfile',
  'agents.md', 'claude.md', 'gemini.md', 'copilot-instructions.md', '.cursorrules', '.windsurfrules', '.clinerules', '.bashrc', '.bash_profile', '.profile', '.zshrc', '.zprofile',
]);
const PATTERNS: readonly RegExp[] = [/\.code-workspace$/, /^(vite|vitest|jest|webpack|rollup|esbuild|babel|eslint|prettier|playwright|cypress|karma|next|nuxt|svelte|astro|tailwind|postcss)\.config\.[cm]?[jt]s$/, /^\.(eslintrc|babelrc|prettierrc)(\..+)?$/, /^\.pre-commit-config\.ya?ml$/];

/** Writing a file that runs by itself or changes what others run always asks, with a banner. */
export const configuresOrExecutes: Guard = {
  id: 'path/configures-or-executes',
  check: (resolved) => {
    const hit = pathsOf(resolved).filter(isWrite).some((path) => {
      const segments = foldedSegments(path.real);
      const name = segments.at(-1) ?? '';
      return NAMES.has(name) || PATTERNS.some((pattern) => pattern.test(name)) || FOLDERS.some((folder) => hasRun(segments, folder));
    });
    if (!hit) return undefined;
    return {
      rule: 'path/configures-or-executes', action: 'ask', patternKey: 'configures_or_executes', approvalAction: 'write_file', sensitive: true,
      reason: 'The file configures or runs something by itself.', banner: 'This file runs code or changes settings.',
    };
  },
};
