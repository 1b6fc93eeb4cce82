/** A task against a scripted model over real HTTP: the settings that connect it, and what tests do in the chat. */
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import type { ScriptedModel } from '../../fakes/scripted-model.ts';
import type { Editor } from './editor.ts';

/** Asks before every command, so that harmless ones can stand for any. */
export const EVERY_COMMAND_ASKS = { 'sluice.approval.commands': 'ask' } as const;

export function connectedTo(model: ScriptedModel): Readonly<Record<string, unknown>> {
  return { 'sluice.model.baseUrl': model.baseUrl, 'sluice.model.name': 'scripted', ...EVERY_COMMAND_ASKS };
}

/** Types the task and sends it with Enter. */
export async function ask(editor: Editor, text: string): Promise<Frame> {
  await editor.openSluiceView();
  const chat = await editor.chatFrame();
  await chat.locator('textarea').fill(text);
  await chat.locator('textarea').press('Enter');
  return chat;
}

/** Clicks right after a prompt appeared are taken for stray ones. */
export async function settle({ page }: Editor): Promise<void> {
  await page.waitForTimeout(700);
}

export async function says(chat: Frame, text: string | RegExp): Promise<void> {
  const body = expect.poll(() => chat.locator('body').innerText(), { timeout: 30_000 });
  await (typeof text === 'string' ? body.toContain(text) : body.toMatch(text));
}
