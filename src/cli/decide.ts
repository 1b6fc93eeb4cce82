import { z } from 'zod';
import { decisionShown } from '../core/approval/build.ts';
import { CHANNELS, isUnattended, type Channel } from '../core/call.ts';
import { elevateCall } from '../core/chain/05-elevate.ts';
import { checkVisibility, guardCall, parseArguments, rateCall, resolveCall } from '../core/chain/all-stages.ts';
import { freePass } from '../core/chain/07-gate.ts';
import { decisionOf, type Rated } from '../core/chain/stages.ts';
import type { Policy } from '../core/policy/layers.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { ResolveContext } from '../core/tool.ts';
import type { Action, Finding } from '../core/verdict.ts';
import { GUARDS } from '../guards/index.ts';
import { judgeAddress } from '../guards/network/address.ts';
import { sha256 } from '../host/system.ts';
import { TOOLS } from '../tools/index.ts';

/** One decision, as `sluice decide` prints it. */
export interface Decision {
  /** As given. */
  readonly id: string | number | undefined;
  readonly action: Action | 'error';
  readonly confined: boolean;
  readonly risk: string | undefined;
  readonly reason: string;
  readonly patternKey: string | undefined;
  /** The stage that decided. */
  readonly stage: string;
  readonly findings: readonly Pick<Finding, 'rule' | 'action' | 'patternKey' | 'reason'>[];
}

export interface DecideOptions {
  readonly policy: Policy;
  readonly context: ResolveContext;
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly sandbox: boolean;
}

const INPUT = z.object({ id: z.union([z.string(), z.number()]).optional(), tool: z.string(), args: z.unknown(), channel: z.enum(CHANNELS).optional() });

/** Judges one line of input by the stages 1 to 7, with nobody to ask. Never throws, never runs anything. */
export async function decideLine(line: string, options: DecideOptions): Promise<Decision> {
  let input: z.infer<typeof INPUT>;
  try {
    input = INPUT.parse(JSON.parse(line));
  } catch (error) {
    return failed(undefined, `This line is not a call: ${error instanceof Error ? error.message.split('\n', 1)[0] ?? '' : 'unreadable'}. Wanted: {"id"?, "tool", "args", "channel"?}.`);
  }
  const { id } = input;
  try {
    const url = input.tool === 'web_fetch' ? (input.args as { url?: unknown } | null)?.url : undefined;
    if (typeof url === 'string') return address(id, url, options.policy);
    return await decide(id, asWhole(input.tool, input.args), input.channel ?? 'editor', options);
  } catch (error) {
    return failed(id, error instanceof Error ? error.message : 'unknown error');
  }
}

/** Edits are judged as writes of their file: whether the old text is there does not matter for the verdict. */
function asWhole(tool: string, args: unknown): { readonly tool: string; readonly args: unknown } {
  const path = (args as { path?: unknown } | null)?.path;
  return tool === 'edit_file' && typeof path === 'string' ? { tool: 'write_file', args: { path, content: '' } } : { tool, args };
}

async function decide(id: Decision['id'], call: { readonly tool: string; readonly args: unknown }, channel: Channel, options: DecideOptions): Promise<Decision> {
  const { policy, home, platform } = options;
  const proposed = {
    stage: 'proposed', agentSays: undefined, actor: { session: 'decide', task: 'decide', channel },
    call: { id: String(id ?? 'call'), tool: call.tool, argumentsText: JSON.stringify(call.args ?? {}), complete: true },
  } as const;
  const visible = checkVisibility(proposed, TOOLS, { policy, channel });
  if (isRefusal(visible)) return refused(id, visible);
  const parsed = parseArguments(visible, sha256);
  if (isRefusal(parsed)) return refused(id, parsed);
  const resolved = await resolveCall(parsed, options.context, sha256);
  if (isRefusal(resolved)) return refused(id, resolved);
  const guarded = guardCall(resolved, GUARDS, { policy, home, platform });
  const rated = rateCall(elevateCall(guarded, options.sandbox, 'there is none here.'));
  return verdict(id, rated, channel, policy);
}

/** There is no tool yet that fetches; the rule about addresses is there already and can be asked. */
function address(id: Decision['id'], url: string, { settings }: Policy): Decision {
  const { action, reason, patternKey } = judgeAddress(url, { policy: settings.networkPolicy, allowedHosts: settings.networkAllowedHosts });
  return { id, action, confined: false, risk: undefined, reason, patternKey, stage: action === 'deny' ? 'guard' : 'gate', findings: [{ rule: 'network/address', action, patternKey, reason }] };
}

function verdict(id: Decision['id'], rated: Rated, channel: Channel, policy: Policy): Decision {
  const denied = decisionOf(rated).action === 'deny';
  const unasked = denied ? undefined : freePass(rated, policy);
  const action = denied ? 'deny' : unasked !== undefined ? 'allow' : isUnattended(channel) ? 'deny' : 'ask';
  const shown = action === 'ask' ? decisionShown(rated) : decisionOf(rated);
  return {
    id, action, confined: rated.elevated.confinement === 'sandboxed', risk: rated.rating.risk,
    reason: unasked === undefined ? shown.reason : `No rule objects (${unasked}).`, patternKey: unasked ?? shown.patternKey, stage: denied ? 'guard' : 'gate',
    findings: decisionOf(rated).findings.map(({ rule, action: said, patternKey, reason }) => ({ rule, action: said, patternKey, reason })),
  };
}

function refused(id: Decision['id'], refusal: Refusal): Decision {
  return { id, action: 'deny', confined: false, risk: undefined, reason: refusal.forModel, patternKey: refusal.patternKey ?? refusal.code, stage: refusal.stage, findings: [] };
}

function failed(id: Decision['id'], reason: string): Decision {
  return { id, action: 'error', confined: false, risk: undefined, reason, patternKey: undefined, stage: 'input', findings: [] };
}
