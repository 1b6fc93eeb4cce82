/** AU-04: a secret value that is known leaves in no request, record, kept task or view, whichever way it came in. */
import { expect, test } from 'vitest';
import { createRedactor } from '../../../../src/core/audit/redact.ts';
import { createSession, propose, say, toolCall, type SessionOptions, type SessionWorld } from '../../../fakes/session.ts';

const KEY = ['sk', 'canary', 'Zm9v/+42'].join('-');
const BASE64 = Buffer.from(`user:${KEY}`).toString('base64');
const FORMS = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').replace(/=+$/, '').slice(0, -2), BASE64.slice(8, -4), JSON.stringify(KEY).slice(1, -1)];

const asRead = (file: string): SessionOptions => ({ files: { 'a.txt': file } });
const asOutput = (output: string) => (world: SessionWorld): void => {
  world.runner.behave = (_command, { onOutput }) => {
    onOutput(output);
    return { output, note: output };
  };
};
const READ = ['read_file', { path: 'a.txt' }] as const;
const RUN = ['run_command', { program: 'make', args: [] }] as const;

type Row = readonly [string, readonly [string, unknown], SessionOptions, ((world: SessionWorld) => void)?];

const ROWS: readonly Row[] = [
  ['in a file', READ, asRead(`token = "${KEY}"\n`)],
  ['in a file, URL-encoded', READ, asRead(`https://a/?k=${encodeURIComponent(KEY)}\n`)],
  ['in a file, in base64 behind a name', READ, asRead(`Authorization: Basic ${BASE64}\n`)],
  ['in the output of a command', RUN, {}, asOutput(`echo ${KEY}`)],
  ['in the output of a command, encoded', RUN, {}, asOutput(`echo ${BASE64}`)],
  ['in the error of a tool that ran', READ, { ...asRead('a'), effects: { readText: () => Promise.reject(new Error(`401 for ${KEY}`)) } }],
  ['in the error of a guard', READ, { ...asRead('a'), over: { guards: [{ id: 'test/bad', check: () => { throw new Error(`cannot check ${KEY}`); } }] } }],
  ['in the error of an unreadable audit', RUN, { over: { audit: { append: (entry) => (entry.kind === 'decision' ? Promise.reject(new Error(`cannot write ${KEY}`)) : Promise.resolve()) } } }],
];

test.for(ROWS)('%s', async ([, [tool, args], options, prepare]) => {
  const world = createSession({ ...options, script: () => 'approve', over: { redact: createRedactor(() => [KEY]), ...options.over } });
  prepare?.(world);
  const { source, how } = await world.play([propose(toolCall(tool, args)), say('ok')]);
  expect(how).toBe('finished');
  expect(source.result('c1')).not.toBe('');
  const views = world.events.map((event) => (event.type === 'call' ? [event.view.reason, event.view.summary, event.view.rule] : event));
  const left = { results: world.saved.at(-1)!.messages.filter(({ role }) => role === 'tool'), audit: world.audit.entries, views };
  for (const [where, what] of Object.entries(left)) for (const form of FORMS) expect(JSON.stringify(what), where).not.toContain(form);
  expect(JSON.stringify([source.result('c1'), views])).toMatch(/\[secret\]/);
});

test('what is no secret comes through unchanged', async () => {
  const world = createSession({ files: { 'a.txt': 'sk-canary and other words\n' }, over: { redact: createRedactor(() => [KEY]) } });
  const { source } = await world.play([propose(toolCall(...READ)), say('ok')]);
  expect(source.result('c1')).toContain('sk-canary and other words');
});
