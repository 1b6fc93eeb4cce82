import { expect, it } from 'vitest';
import { Transcript } from '../../../../src/core/agent/transcript.ts';

it('ids of calls are plain, bounded and used once, whatever the model sent', () => {
  const transcript = new Transcript();
  const sent = ['call_1', '../../call_1', 'call_1\n2', '', 'é', 'x'.repeat(256), 'x'.repeat(255), '__proto__', 'call_1'];
  const ids = transcript.addAssistant('', sent.map((id) => ({ id, tool: 't', argumentsText: '{}', complete: true })), undefined).map(({ id }) => id);
  expect(ids[0]).toBe('call_1');
  expect(new Set(ids).size).toBe(sent.length);
  for (const id of ids) expect(id).toMatch(/^[\w-]{1,110}$/);
  for (const id of ids) transcript.addResult(id, 'done');
  expect(transcript.openCalls()).toEqual([]);
  expect(() => transcript.addResult('call_1', 'again')).toThrow(/already/);
});
