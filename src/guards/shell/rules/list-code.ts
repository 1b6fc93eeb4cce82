import type { ShellRule } from '../rule.ts';
import { inlineCode } from './inline-code.ts';
import { interpreterInput } from './interpreter-input.ts';
import { scriptFile } from './script-file.ts';
import { shellState } from './shell-state.ts';
import { background } from './background.ts';
import { dynamic } from './dynamic.ts';
import { unknownCommand } from './unknown-command.ts';
import { unknownOption } from './unknown-option.ts';
import { programOption } from './program-option.ts';
import { environmentInjection } from './environment-injection.ts';
import { projectElsewhere } from './project-elsewhere.ts';
import { interactive } from './interactive.ts';
import { resource } from './resource.ts';

export const CODE_RULES: readonly ShellRule[] = [inlineCode, interpreterInput, scriptFile, shellState, background, dynamic, unknownCommand, unknownOption, programOption, environmentInjection, projectElsewhere, interactive, resource];
