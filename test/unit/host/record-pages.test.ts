import { expect, it, vi } from 'vitest';

const opened: { path: string }[] = [];
vi.mock('vscode', () => ({
  Uri: { from: (parts: { path: string }) => parts },
  workspace: { registerTextDocumentContentProvider: () => ({ dispose: () => undefined }), openTextDocument: (uri: { path: string }) => { opened.push(uri); return Promise.resolve(uri); } },
  window: { showTextDocument: () => Promise.resolve() },
}));
const asked: string[] = [];
vi.mock('../../../src/host/audit-reading.ts', () => ({ recordsOf: (_folder: string, callId: string) => { asked.push(callId); return Promise.resolve(''); } }));
const { RecordPages } = await import('../../../src/host/record-pages.ts');

it.each(['call_1/x', '../call_2', '//host/x', 'a%2Fb', 'line\nend', '\ud800'])('the page of %j asks for that record and no other', async (callId) => {
  const pages = new RecordPages(() => '/w');
  pages.open(callId);
  const uri = opened.at(-1);
  expect(uri?.path.split('/')).toHaveLength(3);
  await pages.provideTextDocumentContent(uri as never);
  expect(asked.at(-1)).toBe(callId.toWellFormed());
  pages.dispose();
});
