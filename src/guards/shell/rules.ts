import type { ShellRule } from './rule.ts';
import { HARD_RULES } from './rules/list-hard.ts';
import { CODE_RULES } from './rules/list-code.ts';
import { FILES_RULES } from './rules/list-files.ts';
import { SYSTEM_RULES } from './rules/list-system.ts';
import { SHARING_RULES } from './rules/list-sharing.ts';

/** Every rule about commands. Order only decides which of several equally strict reasons is shown first. */
export const SHELL_RULES: readonly ShellRule[] = [...HARD_RULES, ...CODE_RULES, ...FILES_RULES, ...SYSTEM_RULES, ...SHARING_RULES];
