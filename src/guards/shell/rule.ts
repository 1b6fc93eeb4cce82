import type { ConcernKey, Segment, ShellForm } from '../../core/command/form.ts';
import { show } from '../../core/command/argument.ts';
import type { Place } from '../../core/command/place.ts';
import type { Action, ApprovalAction } from '../../core/verdict.ts';

/** Where and under which settings a form is judged. */
export interface ShellSetting {
  readonly place: Pick<Place, 'roots' | 'home' | 'platform'>;
  /** False in Restricted Mode: settings of the folder must not make anything run. */
  readonly trusted: boolean;
  readonly network: { readonly policy: 'deny' | 'restricted' | 'allow'; readonly allowedHosts: readonly string[]; readonly deniedHosts?: readonly string[] | undefined };
}

/** One rule about commands, in a file of its own. */
export interface ShellRule {
  /** `shell/name`, the file's own name. */
  readonly id: string;
  readonly action: Exclude<Action, 'allow'>;
  readonly patternKey: string;
  readonly approvalAction: ApprovalAction;
  /** Plain words, without a full stop; what exactly is appended. */
  readonly reason: string;
  /** What is possible instead. */
  readonly instead?: string | undefined;
  readonly banner?: string | undefined;
  readonly sensitive?: boolean | undefined;
  /** What exactly was found, or undefined. `action` overrides the rule's own where policy decides. */
  readonly find: (form: ShellForm, setting: ShellSetting) => Hit | undefined;
  /** Shell lines that must and must not be found, run as tests. */
  readonly examples: { readonly hit: readonly string[]; readonly miss: readonly string[] };
}

export interface Hit {
  readonly detail: string;
  readonly action?: Exclude<Action, 'allow'> | undefined;
  readonly patternKey?: string | undefined;
}

export type ConcernRule = Omit<ShellRule, 'find' | 'action' | 'approvalAction' | 'patternKey'> & {
  readonly keys: readonly ConcernKey[];
  readonly action?: ShellRule['action'];
  readonly approvalAction?: ApprovalAction;
  readonly patternKey?: string;
};

/** A rule that answers concerns the tables raised. */
export function concernRule({ keys, ...rule }: ConcernRule): ShellRule {
  return {
    action: 'ask', approvalAction: 'run_command', patternKey: keys[0] ?? rule.id, ...rule,
    find: (form) => {
      for (const segment of form.segments) {
        const concern = segment.concerns.find(({ key }) => keys.includes(key));
        if (concern !== undefined) return { detail: detailOf(segment, concern.detail) };
      }
      return undefined;
    },
  };
}

function detailOf(segment: Segment, detail: string): string {
  const name = segment.argv[0] === undefined ? '' : show(segment.argv[0]);
  return detail === name || detail.startsWith(`${name} `) || name === '' ? detail : `${name}: ${detail}`;
}
