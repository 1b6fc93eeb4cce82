import { concernRule } from '../rule.ts';

export const packageInstall = concernRule({
  id: 'shell/package-install', keys: ['package_install'],
  reason: 'It installs or updates packages, whose scripts run',
  instead: 'Say which package and version is needed.',
  examples: {
    hit: ["npm install", "npm ci", "pip install -e .", "pnpm add zod", "yarn add -D vitest", "apt-get install x", "go mod tidy", "cargo install x", "pip install git+https://x.test/p.git"],
    miss: ["npm ls", "pip list", "npm test"],
  },
});
