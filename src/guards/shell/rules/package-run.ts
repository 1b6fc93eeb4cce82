import { concernRule } from '../rule.ts';

export const packageRun = concernRule({
  id: 'shell/package-run', keys: ['package_run'],
  reason: 'It fetches a program and runs it',
  instead: 'Add the tool to the project first.',
  examples: {
    hit: ["npx create-vite app", "pipx run evil", "uvx evil", "npx vitest@latest run", "pnpm dlx x", "npm exec evil"],
    miss: ["npx vitest run", "npx tsc --noEmit"],
  },
});
