/** The pairing rule, for every order of events: what is sent is always a history that a strict provider takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../../src/core/agent/model.ts';
import { Transcript } from '../../../../src/core/agent/transcript.ts';
import type { Call } from '../../../../src/core/call.ts';
import { pairingFault } from '../../../fakes/pairing.ts';
import { createSession, propose, say, ScriptedSource, toolCall } from '../../../fakes/session.ts';

/** Few ids, so that they repeat; some look like the ones that are made. */
const id = fc.constantFrom('a', 'b', 'a_2', 'a_2_2', 'b_3', '', '__proto__', 'constructor');
const callOf = (callId: string): Call => ({ id: callId, tool: 'read_file', argumentsText: '{}', complete: true });

type Step =
  | { readonly do: 'user' } | { readonly do: 'assistant'; readonly ids: readonly string[] }
  | { readonly do: 'result'; readonly nth: number } | { readonly do: 'stop' } | { readonly do: 'crash' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('user' as const) }),
  fc.record({ do: fc.constant('assistant' as const), ids: fc.array(id, { maxLength: 4 }) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('result' as const), nth: fc.nat(5) }) },
  fc.record({ do: fc.constant('stop' as const) }),
  fc.record({ do: fc.constant('crash' as const) }),
);

function play(steps: readonly Step[], check: (transcript: Transcript) => void): Transcript {
  let transcript = new Transcript();
  for (const [n, one] of steps.entries()) {
    if (one.do === 'user') transcript.addUser(`user ${n}`);
    if (one.do === 'assistant') transcript.addAssistant(`text ${n}`, one.ids.map(callOf), undefined);
    if (one.do === 'result') {
      const open = transcript.openCalls();
      const call = open[one.nth % Math.max(1, open.length)];
      if (call !== undefined) transcript.addResult(call.id, `result ${n}`);
    }
    if (one.do === 'stop') transcript.closeOpenCalls(() => `stopped ${n}`);
    if (one.do === 'crash') transcript = new Transcript(JSON.parse(JSON.stringify(transcript.snapshot())) as ModelMessage[]);
    check(transcript);
  }
  return transcript;
}

const textsOf = (messages: readonly ModelMessage[], role: ModelMessage['role']): string[] => messages.flatMap((message) => (message.role === role ? [message.text] : []));

describe('CX-01 pairing', () => {
  it('holds after every event, each call id is used once and no result is lost or told twice', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const transcript = play(steps, (now) => {
        const messages = now.messages();
        expect(pairingFault(messages)).toBeUndefined();
        const kept = now.snapshot();
        expect(textsOf(messages, 'user')).toEqual(textsOf(kept, 'user'));
        expect(textsOf(messages, 'assistant')).toEqual(textsOf(kept, 'assistant'));
        const told = textsOf(messages, 'tool').filter((text) => !text.startsWith('No result: the task stopped'));
        expect([...told].sort()).toEqual(textsOf(kept, 'tool').sort());
      });
      transcript.closeOpenCalls(() => 'closed');
      expect(transcript.openCalls()).toEqual([]);
      expect(textsOf(transcript.messages(), 'tool').some((text) => text.startsWith('No result: the task stopped'))).toBe(false);
    }), { numRuns: 500 });
  });

  it('holds for any messages at all that a damaged record may hold, and a second reading changes nothing', () => {
    const anything: fc.Arbitrary<ModelMessage> = fc.oneof(
      fc.record({ role: fc.constant('user' as const), text: fc.string() }),
      fc.record({ role: fc.constant('assistant' as const), text: fc.string(), calls: fc.array(id.map(callOf), { maxLength: 3 }) }),
      fc.record({ role: fc.constant('tool' as const), callId: id, text: fc.string() }),
    );
    fc.assert(fc.property(fc.array(anything, { maxLength: 15 }), (messages) => {
      const transcript = new Transcript(messages);
      expect(pairingFault(transcript.messages())).toBeUndefined();
      transcript.closeOpenCalls(() => 'closed');
      expect(pairingFault(transcript.messages())).toBeUndefined();
      expect(new Transcript(transcript.messages()).messages()).toEqual(transcript.messages());
    }), { numRuns: 500 });
  });

  it('a second result for a call is an error, and does not change the first', () => {
    const transcript = new Transcript();
    const [call] = transcript.addAssistant('', [callOf('a')], undefined);
    transcript.addResult(call!.id, 'one');
    expect(() => { transcript.addResult(call!.id, 'two'); }).toThrow('the call a has a result already');
    expect(textsOf(transcript.messages(), 'tool')).toEqual(['one']);
  });

  it('gives out copies: what a request holds does not change later', () => {
    const transcript = new Transcript();
    transcript.addUser('one');
    const [sent, kept] = [transcript.messages(), transcript.snapshot()];
    transcript.addUser('two');
    expect([sent.length, kept.length]).toEqual([1, 1]);
  });
});

describe('CX-01 pairing in a running task', () => {
  const gated = (name: string, callId: string): Call => toolCall('run_command', { program: name, args: [] }, { id: callId });
  const kinds: readonly ((callId: string) => Call)[] = [
    (callId) => toolCall('read_file', { path: 'a.txt' }, { id: callId }), (callId) => gated(`ask-${callId}`, callId), (callId) => toolCall('nothing', {}, { id: callId }),
    (callId) => toolCall('read_file', '{"pa', { id: callId, complete: false }), (callId) => toolCall('run_shell', { command: 'reboot' }, { id: callId }),
  ];
  const messages = fc.array(fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.constantFrom('a', 'b', 'c')), { maxLength: 4 }), { minLength: 1, maxLength: 4 });

  it('any calls, any answers, a stop anywhere: the strict source objects to no request, also when the task goes on', async () => {
    await fc.assert(fc.asyncProperty(messages, fc.array(fc.constantFrom('approve' as const, 'deny' as const, 'stop' as const), { minLength: 1, maxLength: 6 }), async (turns, answers) => {
      const world = createSession({ files: { 'a.txt': 'a' } });
      const task = world.session.create('Do it', 'editor');
      world.surface.script = (_request, n) => {
        const answer = answers[n % answers.length]!;
        if (answer !== 'stop') return answer;
        task.stop();
        return undefined;
      };
      const source = new ScriptedSource((_request, n) => {
        const turn = turns[n] ?? [];
        return turn.length === 0 ? say(`text ${n}`) : propose(...turn.map(([kind, callId]) => kinds[kind]!(callId)));
      });
      for (let round = 0; round < 3; round += 1) {
        const end = await task.run(source);
        expect(['finished', 'stopped', 'step_limit']).toContain(end.how);
        task.queue('go on');
      }
      const last = world.saved.at(-1)!.messages;
      expect(pairingFault(last)).toBeUndefined();
      const yes = world.audit.decisions().filter(({ decision, decider }) => decision === 'allow' && decider.by === 'person').length;
      expect(world.runner.runs).toHaveLength(yes);
      expect(world.surface.receipts.filter((receipt) => receipt === 'accepted').length).toBe(yes + world.audit.outcomes().filter((outcome) => outcome === 'denied_by_person').length);
      expect(world.broker.pending()).toEqual([]);
      expect(world.clock.open).toBe(0);
    }), { numRuns: 150 });
  });
});
