import type { CommandResource } from '../../core/call.ts';
import type { Guard, GuardContext } from '../../core/chain/04-guard.ts';
import type { ShellForm } from '../../core/command/form.ts';
import type { Place } from '../../core/command/place.ts';
import type { Finding } from '../../core/verdict.ts';
import { judgePaths } from '../path/guards.ts';
import type { ShellRule, ShellSetting } from './rule.ts';
import { SHELL_RULES } from './rules.ts';

/** What there is to say about a form: the rules about commands, and the rules about every path it touches. */
export function judgeForm(form: ShellForm, setting: ShellSetting): Finding[] {
  const findings: Finding[] = [];
  for (const rule of SHELL_RULES) {
    const finding = judgeRule(rule, form, setting);
    if (finding !== undefined) findings.push(finding);
  }
  const place: Place = { ...setting.place, cwd: setting.place.roots[0] ?? '/' };
  for (const segment of form.segments) findings.push(...judgePaths(segment.effects, place, 'command'));
  return findings;
}

export function judgeRule(rule: ShellRule, form: ShellForm, setting: ShellSetting): Finding | undefined {
  const hit = rule.find(form, setting);
  if (hit === undefined) return undefined;
  return {
    rule: rule.id, action: hit.action ?? rule.action, patternKey: hit.patternKey ?? rule.patternKey, approvalAction: rule.approvalAction,
    reason: hit.detail === '' ? `${rule.reason}.` : `${rule.reason}: ${hit.detail}.`, instead: rule.instead, banner: rule.banner, sensitive: rule.sensitive,
  };
}

/** Settings as the rules read them. */
export function settingOf(context: GuardContext, roots: readonly string[]): ShellSetting {
  const { settings } = context.policy;
  return {
    place: { roots, home: context.home, platform: context.platform },
    trusted: context.policy.trusted,
    network: { policy: settings.networkPolicy, allowedHosts: settings.networkAllowedHosts, deniedHosts: settings.networkDeniedHosts },
  };
}

function commandsOf(resources: readonly { readonly kind: string }[]): readonly CommandResource[] {
  return resources.filter((resource): resource is CommandResource => resource.kind === 'command');
}

/** The folders a command may treat as its own: those it was resolved for. */
function rootsOf(command: CommandResource): readonly string[] {
  return command.cwd.folder === undefined ? [] : [command.cwd.folder];
}

/** Every command of a call, judged; one that nobody analysed is asked. */
export const commandGuard: Guard = {
  id: 'shell/commands',
  check: (resolved, context) => commandsOf(resolved.resolution.resources).flatMap((command) => {
    if (command.analysis === undefined) return [notAnalysed()];
    return judgeForm(command.analysis, settingOf(context, rootsOf(command)));
  }),
};

function notAnalysed(): Finding {
  return {
    rule: 'shell/unreadable', action: 'ask', patternKey: 'unknown_form', approvalAction: 'run_command', sensitive: true,
    reason: 'Sluice has not analysed this command, so it cannot tell what it does.',
  };
}
