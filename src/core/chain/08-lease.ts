import { refuse, type Refusal } from '../refusal.ts';
import type { Granted } from './grant.ts';

/** What one task may still spend. Taken before a call runs, so that the bound holds whatever the call does. */
export class CallBudget {
  #left: number;
  readonly #limit: number;
  constructor(limit: number) {
    this.#limit = limit;
    this.#left = limit;
  }
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }
  get limit(): number {
    return this.#limit;
  }
}

/** Proof that the budget was taken for this grant. Credentials are borrowed here too, after approval, never before. */
export interface Leased {
  readonly granted: Granted;
}

export function lease(granted: Granted, budget: CallBudget): Leased | Refusal {
  if (budget.take()) return { granted };
  return refuse({
    stage: 'lease', code: 'not_applicable', patternKey: 'budget_exceeded',
    forModel: `Not run: this task has used its ${budget.limit} calls. Finish with what you have.`,
    forPerson: `The task has used its ${budget.limit} calls. Nothing more runs in it.`,
  });
}
