import { beforeEach, expect, it, vi } from 'vitest';
import { Questions } from '../../../src/host/questions.ts';
import { reset, seen, settle } from '../../fakes/vscode.ts';

vi.mock('vscode', () => import('../../fakes/vscode.ts'));
beforeEach(reset);

it('a question is drawn as text: the editor would run a command behind a link in a message or a box', async () => {
  const questions = new Questions(() => undefined);
  const text = 'Ready? [Yes, go on](command:workbench.action.closeWindow)';
  void questions.ask(text, [], new AbortController().signal);
  await settle();
  expect(seen.messages[0]?.message).toContain('Yes, go on] (command:');
  expect(seen.messages[0]?.message).not.toContain('](');
  questions.dispose();
});
