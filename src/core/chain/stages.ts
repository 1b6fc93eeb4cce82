import type { Actor, Call, Resource, Risk, Subject, FileChange } from '../call.ts';
import type { Resolution, Tool } from '../tool.ts';
import type { Confinement, GuardDecision, Rating } from '../verdict.ts';

/**
 * One type a stage: each holds the one before it, so that a stage cannot be skipped. A later stage may add,
 * never change. `Granted` (grant.ts) is a class with a private field and is the only thing that executes.
 */
export interface Proposed {
  readonly stage: 'proposed';
  readonly call: Call;
  readonly actor: Actor;
  /** What the agent said in the same message; shown as quoted, decides nothing. */
  readonly agentSays: string | undefined;
}

export interface Visible {
  readonly stage: 'visible';
  readonly proposed: Proposed;
  readonly tool: Tool;
}

export interface Parsed {
  readonly stage: 'parsed';
  readonly visible: Visible;
  /** Deeply frozen. */
  readonly args: unknown;
  readonly argsDigest: string;
}

export interface Resolved {
  readonly stage: 'resolved';
  readonly parsed: Parsed;
  readonly resolution: Resolution;
  /** SHA-256 over the canonical form of actor, tool, arguments, resources and data hashes. */
  readonly fingerprint: string;
}

export interface Guarded {
  readonly stage: 'guarded';
  readonly resolved: Resolved;
  readonly decision: GuardDecision;
}

export interface Elevated {
  readonly stage: 'elevated';
  readonly guarded: Guarded;
  readonly confinement: Confinement;
}

export interface Rated {
  readonly stage: 'rated';
  readonly elevated: Elevated;
  readonly rating: Rating;
}

/** Short ways into the nest, so that no stage digs by hand. */
export function callOf(rated: Rated): Call {
  return rated.elevated.guarded.resolved.parsed.visible.proposed.call;
}
export function actorOf(rated: Rated): Actor {
  return rated.elevated.guarded.resolved.parsed.visible.proposed.actor;
}
export function toolOf(rated: Rated): Tool {
  return rated.elevated.guarded.resolved.parsed.visible.tool;
}
export function argsOf(rated: Rated): unknown {
  return rated.elevated.guarded.resolved.parsed.args;
}
export function resolvedOf(rated: Rated): Resolved {
  return rated.elevated.guarded.resolved;
}
export function decisionOf(rated: Rated): GuardDecision {
  return rated.elevated.guarded.decision;
}
export function changesOf(rated: Rated): readonly FileChange[] {
  return resolvedOf(rated).resolution.changes;
}
export function resourcesOf(rated: Rated): readonly Resource[] {
  return resolvedOf(rated).resolution.resources;
}
export function subjectOf(rated: Rated): Subject {
  return resolvedOf(rated).resolution.subject;
}
export function riskOf(rated: Rated): Risk {
  return rated.rating.risk;
}
