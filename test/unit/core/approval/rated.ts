import type { Channel, CommandResource, FileChange, Resource, Risk } from '../../../../src/core/call.ts';
import type { Rated } from '../../../../src/core/chain/stages.ts';
import type { Tool } from '../../../../src/core/tool.ts';
import type { Confinement, Finding, GuardDecision } from '../../../../src/core/verdict.ts';
import { runCommand } from '../../../../src/tools/run-command/run-command.ts';
import { command } from './card-samples.ts';

export interface RatedFacts {
  readonly tool?: Tool;
  readonly args?: unknown;
  readonly resources?: readonly Resource[];
  readonly changes?: readonly FileChange[];
  readonly confinement?: Confinement;
  readonly risk?: Risk;
  readonly findings?: readonly Partial<Finding>[];
  readonly task?: string;
  readonly callId?: string;
  readonly channel?: Channel;
}

/** A call that came as far as the gate; by default a confined command that a guard asks about. */
export function rated(line: string, facts: RatedFacts = {}): Rated {
  const findings = (facts.findings ?? [{}]).map((over): Finding => ({
    rule: 'shell/every-command', action: 'ask', reason: 'Commands ask.', patternKey: 'command_review', approvalAction: 'run_command', ...over,
  }));
  const leading = findings[0] ?? { action: 'allow', reason: 'No guard objects.', patternKey: 'no_finding', approvalAction: 'use_tool' };
  const decision: GuardDecision = { action: leading.action, reason: leading.reason, patternKey: leading.patternKey, approvalAction: leading.approvalAction, findings };
  const resource: CommandResource = command(line);
  return {
    stage: 'rated', rating: { risk: facts.risk ?? 'exec', source: 'declared' },
    elevated: {
      stage: 'elevated', confinement: facts.confinement ?? 'sandboxed',
      guarded: {
        stage: 'guarded', decision,
        resolved: {
          stage: 'resolved', fingerprint: `fp ${line}`,
          resolution: { subject: { verb: 'Run a command', target: line, form: 'command' }, resources: facts.resources ?? [resource, resource.cwd], changes: facts.changes ?? [] },
          parsed: {
            stage: 'parsed', args: facts.args ?? { program: line }, argsDigest: 'sha256:0',
            visible: {
              stage: 'visible', tool: facts.tool ?? runCommand,
              proposed: {
                stage: 'proposed', agentSays: undefined, call: { id: facts.callId ?? 'call_1', tool: 'run_command', argumentsText: '{}', complete: true },
                actor: { session: 's', task: facts.task ?? 't', channel: facts.channel ?? 'editor' },
              },
            },
          },
        },
      },
    },
  };
}
