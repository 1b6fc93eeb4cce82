import type { PathResource } from '../../core/call.ts';
import type { Guard } from '../../core/chain/04-guard.ts';
import type { EffectOperation, PathEffect } from '../../core/command/form.ts';
import type { Place, Target } from '../../core/command/place.ts';
import type { Finding } from '../../core/verdict.ts';
import { PATH_RULES } from './rules.ts';
import type { PathRule, PathSubject } from './subject.ts';

const READING = new Set<EffectOperation>(['read', 'read_tree', 'list']);

/** Judges paths; the same finding about the same rule is given once. */
export function judgePaths(effects: readonly PathEffect[], place: Place, by: PathSubject['by']): Finding[] {
  const findings: Finding[] = [];
  for (const { operation, target } of effects) {
    for (const rule of PATH_RULES) {
      const finding = judgePath(rule, { operation, target, place, by });
      if (finding !== undefined && !findings.some((other) => other.rule === finding.rule && other.action === finding.action)) findings.push(finding);
    }
  }
  return findings;
}

export function judgePath(rule: PathRule, subject: PathSubject): Finding | undefined {
  const action = rule.judge(subject);
  if (action === undefined) return undefined;
  return {
    rule: rule.id, action, patternKey: rule.patternKey, reason: `${rule.reason}: ${subject.target.asked}.`,
    approvalAction: subject.by === 'command' ? 'run_command' : READING.has(subject.operation) ? 'read_sensitive' : 'write_file',
    instead: rule.instead, banner: rule.banner, sensitive: rule.sensitive,
  };
}

const OPERATIONS: Readonly<Record<PathResource['operation'], EffectOperation>> = { read: 'read', list: 'list', write: 'write', delete: 'delete_tree' };

/** A tilde is judged as the home folder, whatever the host made of it. */
export function targetOf(path: PathResource, home: string): Target {
  const found = /^~(?:\/|$)/.test(path.asked) ? `${home}${path.asked.slice(1)}` : path.real;
  // On macOS the real path of /etc, /tmp and /var starts with /private.
  const real = found.replace(/^\/private(?=\/(?:etc|tmp|var)(?:\/|$))/, '');
  return { asked: path.asked, real, uncertain: false, glob: false, linked: path.linked };
}

/** Every path of a call that a tool itself opens. */
export const pathGuard: Guard = {
  id: 'path/files',
  check: (resolved, context) => resolved.resolution.resources.flatMap((resource) => {
    if (resource.kind !== 'path') return [];
    const roots = resource.folder === undefined ? [] : [resource.folder];
    const place: Place = { roots, cwd: roots[0] ?? '/', home: context.home, platform: context.platform };
    return judgePaths([{ operation: OPERATIONS[resource.operation], target: targetOf(resource, context.home) }], place, 'tool');
  }),
};
