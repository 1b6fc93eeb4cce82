import { describe, expect, it } from 'vitest';
import { hasPrivateName } from '../../../src/tools/private-paths.ts';

describe('names that may hold a secret', () => {
  it.each(['.env', 'a/.env.local', '.envrc', '.ENV', 'b/server.pem', 'id_ed25519', '.ssh/config', 'x/.aws/credentials', 'secrets.yml', '.sluice/audit/a.jsonl', '.git/config', '.npmrc'])(
    '%s does', (path) => { expect(hasPrivateName(path)).toBe(true); });

  it.each(['.env.example', '.env.sample', 'src/credentials.ts', 'secrets/readme.md', 'key.ts', 'environment.ts', 'id_map', '.gitignore', '.github/workflows/a.yml', 'pem'])(
    '%s does not', (path) => { expect(hasPrivateName(path)).toBe(false); });
});
