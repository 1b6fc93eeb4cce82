import { defineConfig } from 'vitest/config';
import suite from '../vitest.config.ts';

/** Takes the pictures of README.md and the walkthrough anew; no part of the test run. See CONTRIBUTING.md. */
export default defineConfig({ ...suite, test: { ...suite.test, include: ['test/e2e/pictures/take.ts'] } });
