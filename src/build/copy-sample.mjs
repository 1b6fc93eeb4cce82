// @ts-check
/** A fresh copy of the sample workspace in out/sample, for the launch configurations of the editor. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './install.mjs';

const target = join(root, 'out', 'sample');
await rm(target, { recursive: true, force: true });
await cp(join(root, 'test', 'fixtures', 'sample'), target, { recursive: true });
