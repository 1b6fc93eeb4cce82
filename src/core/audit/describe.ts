import { drawVisiblePath } from '../approval/visible.ts';
import type { AuditEntry, DecisionEntry } from './record.ts';

/**
 * One line a person can read, for the output channel. Paths and program names only, like the record itself. Line ends
 * and hidden characters in them are drawn: a name cannot write a line of its own into the log.
 */
export function describeEntry(entry: AuditEntry): string {
  return drawVisiblePath(lineFor(entry)).text;
}

function lineFor(entry: AuditEntry): string {
  switch (entry.kind) {
    case 'opened': return `Audit opened for ${entry.folder} (Sluice ${entry.version}).`;
    case 'task': return `Task ${entry.task} started: model ${entry.model}, profile ${entry.profile}.`;
    case 'policy': return `Policy changed while task ${entry.task} runs; in force from the next call.${entry.consent === undefined ? '' : ' Lines of the workspace that you allowed are in force.'}`;
    case 'asked': return `${entry.callId} waits for you (${entry.patternKey}).`;
    case 'decision': return describeDecision(entry);
    case 'result': return `${entry.callId} ${entry.status.replace('_', ' ')}${entry.exitCode === undefined ? '' : `, exit ${entry.exitCode}`} after ${entry.durationMs} ms, ${entry.bytes} bytes.`;
    case 'interrupted': return `${entry.callId} was waiting when the window closed. Nothing ran.`;
    case 'task_end': return `Task ${entry.task} ended: ${entry.how}.`;
  }
}

function describeDecision(entry: DecisionEntry): string {
  const target = entry.resources.map((note) => (note.kind === 'path' ? note.path || '.' : note.kind === 'address' ? note.host : note.program)).join(', ');
  const what = target === '' ? entry.tool : `${entry.tool} ${target}`;
  const where = entry.confinement === undefined || entry.confinement === 'none_needed' ? '' : ` · ${entry.confinement}`;
  if (entry.decision === 'deny') return `${entry.callId} refused at ${entry.stage}: ${what} (${entry.patternKey ?? entry.code ?? 'refused'})${where}`;
  const who = entry.decider.by === 'person'
    ? `you (${entry.decider.source.replace('_', ' ')}, ${(entry.decider.waitedMs / 1_000).toFixed(1)} s${entry.decider.edited ? ', edited' : ''})`
    : `${entry.decider.by.replace('_', ' ')} ${entry.decider.source}`;
  return `${entry.callId} allowed by ${who}: ${what}${where}`;
}
