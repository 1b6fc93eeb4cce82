/** One turn of the loop: the real openai client asks the scripted model, one call runs, the result goes back. */
import { Session } from '../../src/core/agent/session.ts';
import { createOpenAiChat } from '../../src/providers/openai-chat/index.ts';
import { call, say, startScriptedModel } from '../fakes/scripted-model.ts';
import { discard, sessionParts, smallWorld } from './parts.ts';
import { report, sample, spread } from './rows.ts';

const TURNS = 100;
const WARM_UP = 10;

const model = await startScriptedModel((request) => (request.body.messages.at(-1)?.role === 'tool' ? say('Read.') : call('read_file', { path: 'src/date.js' })));
try {
  const source = createOpenAiChat({ baseUrl: model.baseUrl, model: 'scripted', idleTimeoutMs: 10_000 });
  const session = new Session(sessionParts(smallWorld(), discard, () => undefined));
  const turns = await sample(TURNS, WARM_UP, async () => {
    const end = await session.create('Read the file', 'editor').run(source);
    if (end.how !== 'finished') throw new Error(`the task ended as ${end.how}: ${end.text ?? ''}`);
  });
  const bodies = model.requests.slice(-2).map(({ text }) => text);
  const bare = await sample(TURNS, WARM_UP, async () => {
    for (const body of bodies) await (await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body })).text();
  });
  report(spread('A task of two requests and one call', turns, 'the same two requests by fetch', bare, 'ms'));
} finally {
  await model.close();
}
