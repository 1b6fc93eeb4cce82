import type { Tool } from '../core/tool.ts';
import { askUser } from './ask-user/ask-user.ts';
import { editFile } from './edit-file/edit-file.ts';
import { findFiles } from './find-files/find-files.ts';
import { listDirectory } from './list-directory/list-directory.ts';
import { readDiagnostics } from './read-diagnostics/read-diagnostics.ts';
import { readFile } from './read-file/read-file.ts';
import { runCommand } from './run-command/run-command.ts';
import { runShell } from './run-shell/run-shell.ts';
import { searchText } from './search-text/search-text.ts';
import { writeFile } from './write-file/write-file.ts';

/** Every built-in tool, one line each: the folder of the same name holds all of it. */
export const TOOLS: readonly Tool[] = [
  readFile,
  listDirectory,
  findFiles,
  searchText,
  readDiagnostics,
  editFile,
  writeFile,
  runCommand,
  runShell,
  askUser,
];
