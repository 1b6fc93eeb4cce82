import type { Profile } from '../../core/call.ts';

export interface StatusState {
  readonly profile: Profile;
  /** `unchecked` until the first command needs the sandbox and its self-test has an answer. */
  readonly sandbox: 'unchecked' | 'confined' | 'unconfined';
  /** One sentence for the tooltip: what holds, or what is missing and what to do. */
  readonly detail: string;
}

export interface StatusLook {
  readonly text: string;
  readonly tooltip: string;
  readonly label: string;
  readonly attention: boolean;
}

const SANDBOX: Record<StatusState['sandbox'], string> = {
  unchecked: 'sandbox not checked yet', confined: 'confined', unconfined: 'commands unconfined',
};

/** Waiting requests come before everything else. */
export function statusLook(state: StatusState, waiting: number): StatusLook {
  const calm = state.sandbox === 'unchecked' ? state.profile : `${state.profile} · ${SANDBOX[state.sandbox]}`;
  if (waiting > 0) {
    const sentence = waiting === 1 ? '1 request waits for you' : `${waiting} requests wait for you`;
    return { text: `$(bell-dot) ${waiting} waiting`, tooltip: `${sentence}. Click to review the first.\n${calm}`, label: `Sluice: ${sentence}`, attention: true };
  }
  const icon = state.sandbox === 'unconfined' ? '$(warning)' : '$(shield)';
  return { text: `${icon} ${calm}`, tooltip: `Sluice, profile ${state.profile}. ${state.detail}`, label: `Sluice: profile ${state.profile}, ${SANDBOX[state.sandbox]}`, attention: false };
}
