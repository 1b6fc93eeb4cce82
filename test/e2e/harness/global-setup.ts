import type { TestProject } from 'vitest/node';
import { prepare } from './prepared.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { dispose, ...prepared } = await prepare();
  project.provide('prepared', prepared);
  return dispose;
}
