import type { Argument } from '../argument.ts';
import type { Concern, ConcernKey, EnvironmentEntry, EffectOperation, Input, PathEffect, ResolvedRedirect, Segment } from '../form.ts';
import type { Doubt } from '../limits.ts';
import { targetsOf, type Place } from '../place.ts';
import type { State } from './state.ts';

/** Where a command stands while the line is walked. */
export interface Context {
  readonly via: readonly string[];
  readonly input: Input;
  readonly background: boolean;
  /** Scripts inside scripts. */
  readonly depth: number;
  /** Functions that are being walked: calling one again is recursion. */
  readonly active: ReadonlySet<string>;
}

/** A command about to run: its words are known as far as they can be. */
export interface Invocation {
  readonly argv: readonly Argument[];
  readonly assignments: readonly EnvironmentEntry[];
  readonly redirects: readonly ResolvedRedirect[];
  readonly state: State;
  readonly context: Context;
}

/** A segment while its effects are being collected. Tables write to it; afterwards it is only read. */
export class Draft implements Segment {
  readonly argv: readonly Argument[];
  readonly name: string;
  readonly origin: Segment['origin'];
  readonly via: readonly string[];
  readonly assignments: readonly EnvironmentEntry[];
  readonly redirects: readonly ResolvedRedirect[];
  readonly directories: readonly (string | undefined)[];
  readonly input: Input;
  readonly background: boolean;
  readonly effects: PathEffect[] = [];
  readonly concerns: Concern[] = [];
  readonly place: Place;

  constructor(invocation: Invocation, place: Place) {
    const [head] = invocation.argv;
    this.argv = invocation.argv;
    this.name = head === undefined || head.dynamic && head.text.includes('\uE000') ? '' : programName(head.text);
    this.origin = head === undefined ? 'name' : originOf(head.text);
    this.via = invocation.context.via;
    this.assignments = invocation.assignments;
    this.redirects = invocation.redirects;
    this.directories = invocation.state.directories;
    this.input = invocation.context.input;
    this.background = invocation.context.background;
    this.place = place;
  }

  touch(operation: EffectOperation, argument: Argument): void {
    for (const target of targetsOf(argument, this.directories, this.place)) this.effects.push({ operation, target });
  }

  raise(key: ConcernKey, detail: string, address?: string): void {
    if (this.concerns.some((concern) => concern.key === key && concern.detail === detail.slice(0, 120) && concern.address === address)) return;
    this.concerns.push(address === undefined ? { key, detail: detail.slice(0, 120) } : { key, detail: detail.slice(0, 120), address });
  }
}

/** What a segment stands for: a program, the wrapper around one (its own doing only), or the redirects of a block. */
export type Part = 'program' | 'wrapper' | 'block';

/** What the tables add to a segment. */
export type Describe = (draft: Draft, part: Part) => void;

export interface Outcome {
  readonly segments: Segment[];
  readonly doubts: Doubt[];
  readonly functions: Set<string>;
}

export function programName(text: string): string {
  const base = text.slice(text.lastIndexOf('/') + 1).toLowerCase();
  return base.endsWith('.exe') ? base.slice(0, -4) : base;
}

const SYSTEM = /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$/;

function originOf(text: string): Segment['origin'] {
  if (!text.includes('/')) return 'name';
  return SYSTEM.test(text) ? 'system' : 'path';
}
