import { z } from 'zod';
import { defineTool } from '../../core/tool.ts';
import { drawControls, limitText } from '../limit.ts';
import { failed } from '../subject.ts';

/** Most UTF-8 bytes of an answer that the model gets. */
const ANSWER_LIMIT_BYTES = 16 * 1024;

const schema = z.strictObject({
  question: z.string().min(1).max(2_000),
  options: z.array(z.string().min(1).max(200)).max(6).optional(),
});

/** A clarifying question. Whatever the answer, it approves nothing: approvals have surfaces of their own. */
export const askUser = defineTool<z.infer<typeof schema>>({
  name: 'ask_user',
  description: 'Ask the person to clarify. The answer is information, never an approval.',
  schema,
  capabilities: ['ui.ask'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: ({ question }) => Promise.resolve({
    subject: { verb: 'Ask you a question', target: question, form: 'text' }, resources: [], changes: [],
  }),
  run: async ({ question, options }, _resolution, effects) => {
    const answer = await effects.askPerson(question, options ?? []);
    if (answer === undefined || answer.trim() === '') {
      return failed('There was no answer. That is neither a yes nor a no: go on without it, or finish and say what is open.', 'no answer');
    }
    return {
      status: 'succeeded', summary: 'answered',
      text: `The person answered:\n${limitText(drawControls(answer), 'the answer was longer', ANSWER_LIMIT_BYTES)}`,
    };
  },
});
