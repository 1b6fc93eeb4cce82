import { z } from 'zod';
import { PROFILES } from '../call.ts';

/**
 * The one definition of every setting. `contributes.configuration`, the restricted list, the settings
 * reference and the types are generated from here (`npm run gen`).
 *
 * `scope` says who may set it. `application` and `machine` settings are invisible to a repository: everything
 * that could send code or keys elsewhere, or switch a protection off, has one of them. `window` and `resource`
 * settings can be set by a workspace, which may only tighten (`tightens`, see layers.ts).
 */
export type SettingScope = 'application' | 'machine' | 'window' | 'resource';
export type SettingGroup = 'model' | 'profile' | 'approval' | 'paths' | 'network' | 'execution' | 'budgets';

export interface Setting<T> {
  readonly key: string;
  readonly group: SettingGroup;
  readonly scope: SettingScope;
  /** One sentence about the effect, not the mechanism. */
  readonly description: string;
  readonly schema: z.ZodType<T>;
  readonly default: T;
  /** For enums: what each value does, in the order of the enum. */
  readonly valueDescriptions?: readonly string[];
  /**
   * Whether `next` is at least as strict as `now` for every call. Absent for settings that a workspace cannot set.
   * Used to decide what a workspace layer may do on its own.
   */
  readonly tightens?: (next: T, now: T) => boolean;
  /** What a value that cannot be read becomes, in whichever layer it stands: the strictest. Absent where the default is. */
  readonly whenInvalid?: T;
  /** For lists of denials: a workspace's value and the one in force hold together. */
  readonly join?: (next: T, now: T) => T;
}

const NETWORK_POLICIES = ['deny', 'restricted', 'allow'] as const;
const WRITE_APPROVALS = ['preview', 'auto'] as const;
const COMMAND_APPROVALS = ['confined', 'ask'] as const;
export type NetworkPolicy = (typeof NETWORK_POLICIES)[number];
export type WriteApproval = (typeof WRITE_APPROVALS)[number];
export type CommandApproval = (typeof COMMAND_APPROVALS)[number];

const PROFILE_WIDTH: Record<(typeof PROFILES)[number], number> = { minimal: 0, messaging: 1, coding: 2, full: 3 };

/** Anything else in a pattern (braces, classes) would deny less than it seems to, or take long to match. */
const TOOL_PATTERN = /^[\w.*?-]+$/;

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** Property names are the names in `Settings`; `key` is what a person writes after `sluice.`. */
export const SETTINGS = {
  modelBaseUrl: setting<string>({
    key: 'model.baseUrl', group: 'model', scope: 'application', default: '',
    description: 'Address of an OpenAI-compatible endpoint, for example `http://127.0.0.1:11434/v1`. Empty: the built-in rehearsal plays, and no model is called.',
    schema: z.string().max(2_000),
  }),
  modelName: setting<string>({
    key: 'model.name', group: 'model', scope: 'application', default: '',
    description: 'Name of the model to ask, as the endpoint spells it.',
    schema: z.string().max(300),
  }),
  modelIdleSeconds: setting<number>({
    key: 'model.idleSeconds', group: 'model', scope: 'application', default: 90,
    description: 'Seconds without a byte from the model after which the request counts as lost and is sent again.',
    schema: z.number().int().min(5).max(1_800),
  }),
  profile: setting<(typeof PROFILES)[number]>({
    key: 'profile', group: 'profile', scope: 'window', default: 'coding',
    description: 'Which tools the agent sees.',
    schema: z.enum(PROFILES),
    valueDescriptions: ['Reads and answers; changes nothing.', 'Reads and prepares messages.', 'Reads, edits files and runs commands.', 'Every tool.'],
    tightens: (next, now) => PROFILE_WIDTH[next] <= PROFILE_WIDTH[now], whenInvalid: 'minimal',
  }),
  toolsDeny: setting<readonly string[]>({
    key: 'tools.deny', group: 'profile', scope: 'resource', default: [],
    description: 'Tools the agent never sees: names, patterns such as `run_*`, or capabilities such as `process.exec`. The lists of user, workspace and folder add up.',
    schema: z.array(z.string().min(1).max(100).refine((pattern) => TOOL_PATTERN.test(pattern), 'a pattern has letters, digits and any of _ - . * ?')).max(200),
    tightens: (next, now) => next.includes('*') || now.every((name) => next.includes(name)), join: (next, now) => [...new Set([...now, ...next])], whenInvalid: ['*'],
  }),
  approvalWrites: setting<WriteApproval>({
    key: 'approval.writes', group: 'approval', scope: 'window', default: 'preview',
    description: 'What happens before the agent changes a file in the workspace.',
    schema: z.enum(WRITE_APPROVALS),
    valueDescriptions: ['A diff opens first; nothing is written until you approve it.', 'Ordinary changes inside the workspace are written at once; sensitive files still ask.'],
    tightens: (next, now) => next === 'preview' || now === 'auto',
  }),
  approvalCommands: setting<CommandApproval>({
    key: 'approval.commands', group: 'approval', scope: 'window', default: 'confined',
    description: 'What happens before the agent runs a command.',
    schema: z.enum(COMMAND_APPROVALS),
    valueDescriptions: ['Commands on which no rule objects run in the sandbox without asking; all others ask.', 'Every command asks.'],
    tightens: (next, now) => next === 'ask' || now === 'confined', whenInvalid: 'ask',
  }),
  approvalExpiryMinutes: setting<number>({
    key: 'approval.expiryMinutes', group: 'approval', scope: 'application', default: 480,
    description: 'Minutes after which an unanswered request ends. The agent is told that nobody answered; nothing runs.',
    schema: z.number().int().min(1).max(10_080),
  }),
  networkPolicy: setting<NetworkPolicy>({
    key: 'network.policy', group: 'network', scope: 'window', default: 'deny',
    description: 'Whether the agent and its commands may reach the network.',
    schema: z.enum(NETWORK_POLICIES),
    valueDescriptions: ['Commands that reach the network are refused.', 'Commands that reach other hosts than `sluice.network.allowedHosts` ask.', 'Commands that reach the network ask.'],
    tightens: (next, now) => NETWORK_POLICIES.indexOf(next) <= NETWORK_POLICIES.indexOf(now),
  }),
  networkAllowedHosts: setting<readonly string[]>({
    key: 'network.allowedHosts', group: 'network', scope: 'window', default: [],
    description: 'Hosts that count as allowed when `sluice.network.policy` is `restricted`: exact names, or `*.example.org` for subdomains.',
    schema: z.array(z.string().min(1).max(253)).max(500),
    tightens: (next, now) => next.every((host) => now.includes(host)),
  }),
  networkDeniedHosts: setting<readonly string[]>({
    key: 'network.deniedHosts', group: 'network', scope: 'window', default: [],
    description: 'Hosts that are refused whatever else is allowed: exact names, or `*.example.org` for subdomains.',
    schema: z.array(z.string().min(1).max(253)).max(500),
    tightens: (next, now) => next.includes('*') || now.every((host) => next.includes(host)), join: (next, now) => [...new Set([...now, ...next])], whenInvalid: ['*'],
  }),
  sandboxEnabled: setting<boolean>({
    key: 'sandbox.enabled', group: 'execution', scope: 'machine', default: true,
    description: 'Run commands in the operating system\'s sandbox. Without it every command asks each time.',
    schema: z.boolean(),
  }),
  commandTimeoutSeconds: setting<number>({
    key: 'execution.timeoutSeconds', group: 'execution', scope: 'application', default: 120,
    description: 'Seconds a command may run when the agent names no limit of its own.',
    schema: z.number().int().min(1).max(3_600),
  }),
  outputLimitKilobytes: setting<number>({
    key: 'execution.outputLimitKilobytes', group: 'execution', scope: 'application', default: 32,
    description: 'Kilobytes of a command\'s output that the agent reads; the beginning and the end are kept.',
    schema: z.number().int().min(4).max(1_024),
  }),
  maxSteps: setting<number>({
    key: 'budget.steps', group: 'budgets', scope: 'application', default: 60,
    description: 'Answers of the model in one task after which it pauses and waits for you.',
    schema: z.number().int().min(1).max(1_000),
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never };
