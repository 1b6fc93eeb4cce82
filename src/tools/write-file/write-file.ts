import { z } from 'zod';
import type { FileChange, PathResource } from '../../core/call.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Reading, TextFile } from '../../core/ports.ts';
import { defineTool } from '../../core/tool.ts';
import { flavourOf, toCrlf, toLf } from '../line-ends.ts';
import { fileTextParameter, pathParameter } from '../parameters.ts';
import { applyPlan, changeTo, resolutionOf } from '../planned-change.ts';
import { isProblem, pathSubject, refuseResolve, refuseUnread } from '../subject.ts';

const schema = z.strictObject({ path: pathParameter, content: fileTextParameter(900_000) });

export const writeFile = defineTool<z.infer<typeof schema>>({
  name: 'write_file',
  description: 'Create a file, or replace all of it. Read an existing file first; prefer edit_file for changes.',
  schema,
  capabilities: ['fs.read', 'fs.write'],
  risk: 'write',
  profiles: ['coding', 'full'],
  resolve: async ({ path, content }, { reading }) => {
    const located = await reading.locate(path, 'write');
    const verb = located.fileKind === 'missing' ? 'Create a file' : 'Replace a file';
    return resolutionOf(located, pathSubject(verb, located), await planWrite(located, content, reading));
  },
  run: ({ content }, resolution, effects) => applyPlan(resolution, effects, (path) => planWrite(path, content, effects)),
});

async function planWrite(path: PathResource, content: string, reading: Reading): Promise<FileChange | Refusal> {
  if (/[/\\]$/.test(path.asked)) return refuseResolve('not_applicable', `${path.asked} names a directory; name a file.`);
  const file = await reading.readText(path);
  if (isProblem(file)) return file.problem === 'missing' ? createWith(path, content, reading) : refuseUnread(file);
  return changeTo(path, file, likeBefore(file, content), reading);
}

/** A new file gets the bytes of the content; a leading U+FEFF becomes its byte order mark. */
function createWith(path: PathResource, content: string, reading: Reading): FileChange | Refusal {
  const marked = content.startsWith('\ufeff');
  return changeTo(path, undefined, marked ? content.slice(1) : content, reading, marked ? 'utf8bom' : 'utf8');
}

/**
 * The existing file decides about encoding and byte order mark. Content with LF ends over a file that has only
 * CRLF gets CRLF: models read files without line ends and write LF. Over an open document with unsaved text the
 * document's line end is used, because an editor holds only one.
 */
function likeBefore(file: TextFile, content: string): string {
  const text = content.startsWith('\ufeff') && !file.text.startsWith('\ufeff') ? content.slice(1) : content;
  const before = flavourOf(file.text);
  if (before === 'crlf' && (file.source === 'editor' || !text.includes('\r\n'))) return toCrlf(text);
  return before === 'lf' && file.source === 'editor' ? toLf(text) : text;
}
