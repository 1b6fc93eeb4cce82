/**
 * The one two-way protocol between the host and the chat view. Whatever arrives is parsed; what does not
 * parse is dropped, and never counts as an answer.
 */
import { z } from 'zod';
import { isRelativePath, isWebAddress } from './addresses.ts';
import { MAX_REASON, MAX_TEXT } from './bounds.ts';

const MAX_ID = 400;
const MAX_LINK = 4_000;

/** What a click in the view may start in the host, by name; the host maps each to a command of its own. */
export const COMMAND_NAMES = [
  'connect_model', 'start_rehearsal', 'choose_profile', 'sandbox_help', 'open_settings', 'manage_trust', 'new_task',
  'show_requests', 'show_activity',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

const id = z.string().min(1).max(MAX_ID);

const FROM_VIEW = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('send'), text: z.string().max(MAX_TEXT).refine((text) => text.trim() !== '') }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('continue') }),
  z.strictObject({ type: z.literal('pick_starter'), id }),
  z.strictObject({
    type: z.literal('answer'),
    requestId: id,
    fingerprint: id,
    choice: z.enum(['approve', 'deny']),
    scope: z.enum(['once', 'session']),
    reason: z.string().max(MAX_REASON).optional(),
    token: z.string().max(100),
  }),
  z.strictObject({ type: z.literal('open_request'), requestId: id }),
  z.strictObject({ type: z.literal('open_diff'), requestId: id }),
  z.strictObject({ type: z.literal('open_record'), callId: id }),
  z.strictObject({ type: z.literal('open_link'), url: z.string().max(MAX_LINK).refine(isWebAddress) }),
  z.strictObject({ type: z.literal('open_file'), path: z.string().min(1).max(MAX_LINK).refine(isRelativePath) }),
  z.strictObject({ type: z.literal('command'), name: z.enum(COMMAND_NAMES) }),
]);
export type FromView = z.infer<typeof FROM_VIEW>;
export type AnswerMessage = Extract<FromView, { type: 'answer' }>;

/** Undefined for anything that is not exactly one of the messages. Never throws. */
export function parseFromView(value: unknown): FromView | undefined {
  try {
    const parsed = FROM_VIEW.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A getter or proxy that throws while it is read is not a message.
    return undefined;
  }
}

export { parseToView } from './envelope.ts';
export type { ToView } from './envelope.ts';
