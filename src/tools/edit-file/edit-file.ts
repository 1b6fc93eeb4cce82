import { z } from 'zod';
import type { FileChange, PathResource } from '../../core/call.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { Reading } from '../../core/ports.ts';
import { defineTool } from '../../core/tool.ts';
import { fileTextParameter, pathParameter } from '../parameters.ts';
import { applyPlan, changeTo, resolutionOf } from '../planned-change.ts';
import { isProblem, pathSubject, refuseResolve, refuseUnread } from '../subject.ts';
import { applyEdits, type Edit } from './replace.ts';

const schema = z.strictObject({
  path: pathParameter,
  edits: z.array(z.strictObject({
    old_text: fileTextParameter(400_000).min(1, 'must not be empty; write_file creates files'),
    new_text: fileTextParameter(400_000),
  })).min(1).max(100),
});

/**
 * All planning happens in `resolve`: what cannot be applied is told before a guard or a person is asked. The
 * base is the text the person sees, so unsaved editor text is part of it.
 */
export const editFile = defineTool<z.infer<typeof schema>>({
  name: 'edit_file',
  description: 'Replace exact text in a file. Each old_text must occur once; edits apply in order. Line ends, encoding and byte order mark are kept.',
  schema,
  capabilities: ['fs.read', 'fs.write'],
  risk: 'write',
  profiles: ['coding', 'full'],
  resolve: async ({ path, edits }, { reading }) => {
    const located = await reading.locate(path, 'write');
    return resolutionOf(located, pathSubject('Change a file', located), await planEdits(located, edits, reading));
  },
  run: ({ edits }, resolution, effects) => applyPlan(resolution, effects, (path) => planEdits(path, edits, effects)),
});

async function planEdits(path: PathResource, edits: readonly Edit[], reading: Reading): Promise<FileChange | Refusal> {
  const file = await reading.readText(path);
  if (isProblem(file)) return refuseUnread(file);
  const after = applyEdits(file.text, edits);
  if (typeof after !== 'string') return refuseResolve('not_applicable', `${path.asked}: ${after.failure}`);
  return changeTo(path, file, after, reading);
}
