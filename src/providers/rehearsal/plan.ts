import type { ModelMessage } from '../../core/agent/model.ts';

/** What the rehearsal says next and, when it acts, the one call it makes. */
export interface Move {
  readonly say: string;
  readonly call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } | undefined;
}

/** One call of the session so far, with the result it really got. */
interface Played {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

const SOURCE = 'src/date.js';
/** The bug of the sample: the month of a Date counts from 0. */
const WRONG = 'date.getUTCMonth()';
const RIGHT = 'date.getUTCMonth() + 1';
const MOST_CALLS = 12;

/** A command that a rule asks about whatever the settings: the sample has no dependencies, so it reaches nothing. */
const MAKE_LOCK = { tool: 'run_command', args: { program: 'npm', args: ['install', '--package-lock-only', '--offline'] } } as const;
const RUN_TESTS = { tool: 'run_command', args: { program: 'npm', args: ['test'] } } as const;

/**
 * Plays the fix of the sample workspace. It calls no model, but it is no film either: every move depends on the
 * results of the calls before it, on what the files really hold, and on what the person approved or denied.
 */
export function nextMove(messages: readonly ModelMessage[], tools: readonly string[]): Move {
  const played = playedSince(messages);
  if (played.length > MOST_CALLS) return say('The rehearsal stops here: it has no more moves prepared.');
  const commands = played.filter((one) => one.tool === 'run_command');
  const installs = commands.filter((one) => Array.isArray(one.args['args']) && one.args['args'][0] === 'install');
  const runs = commands.filter((one) => !installs.includes(one));
  const reads = played.filter((one) => one.tool === 'read_file' && one.args['path'] === SOURCE);
  const edits = played.filter((one) => one.tool === 'edit_file');
  const [firstRun] = runs;
  if (firstRun === undefined && reads.length === 0) return opening(tools);
  if (edits.length === 0) return beforeEdit(firstRun, reads, tools);
  return afterEdit(edits, runs, reads, installs);
}

function opening(tools: readonly string[]): Move {
  if (!tools.includes('run_command')) return act('Running commands is not possible here, so I read the code instead.', readSource());
  return act('I run the tests first, to see what fails.', RUN_TESTS);
}

function beforeEdit(run: Played | undefined, reads: readonly Played[], tools: readonly string[]): Move {
  const [read] = reads;
  if (read === undefined) return reactToFirstRun(run);
  if (refused(read)) return say(`I could not read ${SOURCE}: ${firstLine(read.result)} Nothing was changed.`);
  const line = wrongLine(read.result);
  if (line === undefined) {
    return say(`${SOURCE} is not the file this rehearsal was prepared for, or it is already right. Connect a model to work on your own code.`);
  }
  if (!tools.includes('edit_file')) return say(`The bug is in ${SOURCE}: \`${line.trim()}\` counts months from 0. Changing files is not possible here, so I leave it to you.`);
  const why = `\`${WRONG}\` counts months from 0, so March is written as 02. I add 1.`;
  return act(why, { tool: 'edit_file', args: { path: SOURCE, edits: [{ old_text: line, new_text: line.replace(WRONG, RIGHT) }] } });
}

function reactToFirstRun(run: Played | undefined): Move {
  if (run === undefined) return act('I read the code.', readSource());
  if (denied(run)) return act(`You would rather not run the tests${reasonIn(run)}. Then I find the fault by reading.`, readSource());
  if (/exit code 0\b/.test(run.result)) return say('All tests pass. There is nothing to fix.');
  const failing = /^(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?$/m.exec(run.result)?.[1];
  if (failing === undefined) return act(`The tests did not run to an end: ${firstLine(run.result)} I look at the code.`, readSource());
  return act(`One test fails: "${failing}". I read the code it tests.`, readSource());
}

function afterEdit(edits: readonly Played[], runs: readonly Played[], reads: readonly Played[], installs: readonly Played[]): Move {
  const edit = edits[edits.length - 1];
  if (edit === undefined) return say('Nothing was changed.');
  if (denied(edit)) {
    return say(`You denied the change${reasonIn(edit)}, so ${SOURCE} stays as it was. The fault remains: \`${WRONG}\` counts months from 0. Tell me how you would like it fixed.`);
  }
  if (changedMeanwhile(edit)) {
    if (reads.length <= edits.length) return act(`${SOURCE} changed in the meantime. I read it again.`, readSource());
    return beforeEdit(runs[0], reads.slice(-1), ['edit_file']);
  }
  if (refused(edit)) return say(`The change was not made: ${firstLine(edit.result)}`);
  const last = runs[runs.length - 1];
  const ranBefore = last !== undefined && !denied(last) && runs.length === 1;
  if (runs.length === 0) return say(`${SOURCE} is changed. The tests were not run.`);
  if (ranBefore || (runs.length === 1 && denied(runs[0]!))) return act('The change is in place. I run the tests again.', RUN_TESTS);
  return closing(last, installs[0]);
}

function closing(last: Played | undefined, install: Played | undefined): Move {
  if (last === undefined || denied(last)) return say(`${SOURCE} is changed and now writes the month as people count it. The tests were not run again, as you asked.`);
  if (/exit code 0\b/.test(last.result)) {
    if (install === undefined) return act('Now all tests pass. The project has no lock file, so I would make one; installing packages is a thing that asks.', MAKE_LOCK);
    const lock = denied(install) ? `The lock file is left out${reasonIn(install)}.` : /exit code 0\b/.test(install.result) ? 'package-lock.json is there now.' : `The lock file was not made: ${firstLine(install.result)}`;
    return say(`Done. The month was counted from 0 in \`formatIsoDate\`; ${SOURCE} now adds 1, and the tests are green. ${lock}`);
  }
  return say(`The change is in place, but the tests still fail: ${firstLine(last.result)} Look at the output above.`);
}

/** Calls with their results since the person last started something: after an answer that made no call. */
function playedSince(messages: readonly ModelMessage[]): readonly Played[] {
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant' && message.calls.length === 0);
  const recent = messages.slice(lastAnswer + 1);
  const results = new Map(recent.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.text] as const] : [])));
  return recent.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).map((call) => ({
    tool: call.tool, args: readArgs(call.argumentsText), result: results.get(call.id) ?? '',
  }));
}

function readArgs(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value as Record<string, unknown> : {};
  } catch {
    // A model's cut-off call from before the rehearsal took over.
    return {};
  }
}

/** The one line with the fault, as it stands in the file, from the numbered lines that `read_file` gives. */
function wrongLine(result: string): string | undefined {
  const lines = result.split('\n').map((line) => /^\d+\|(.*)$/.exec(line)?.[1]).filter((line) => line !== undefined);
  return lines.find((line) => line.includes(WRONG) && !line.includes(RIGHT));
}

const denied = (one: Played): boolean => /^(Denied by the person|Not run: the person already denied)/.test(one.result);
const refused = (one: Played): boolean => denied(one) || /^(Not run|Not applied|No answer|No result|Interrupted|Cancelled|Failed|There is no|The tool )/.test(one.result);
const changedMeanwhile = (one: Played): boolean => /^(Not applied:|Not run: \S+: old_text was not found|\S+ changed since the call was judged)/.test(one.result);

function reasonIn(one: Played): string {
  const reason = /They said: "([\s\S]*?)"(?: Do not|$)/.exec(one.result)?.[1];
  return reason === undefined ? '' : ` ("${reason}")`;
}

function readSource(): { tool: string; args: Record<string, unknown> } {
  return { tool: 'read_file', args: { path: SOURCE } };
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}

function say(text: string): Move {
  return { say: text, call: undefined };
}

function act(text: string, call: NonNullable<Move['call']>): Move {
  return { say: text, call };
}
