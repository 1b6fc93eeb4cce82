import * as vscode from 'vscode';
import type { ModelSource } from '../core/agent/model.ts';
import type { Policy } from '../core/policy/layers.ts';
import { createRehearsal, REHEARSAL_NOTICE } from '../providers/rehearsal/index.ts';
import { systemClock } from './system.ts';

const KEY_NAME = 'sluice.apiKey';
/** Names of environment variables whose values never leave in any text. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$/i;

/** The key of the model: SecretStorage first, then the environment. Kept in memory for redaction only. */
export class ModelKey {
  readonly #secrets: vscode.SecretStorage;
  #stored: string | undefined;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async read(): Promise<string | undefined> {
    this.#stored = await this.#secrets.get(KEY_NAME);
    return this.#stored ?? environmentKey();
  }

  async store(value: string): Promise<void> {
    await this.#secrets.store(KEY_NAME, value);
    this.#stored = value;
  }

  async clear(): Promise<void> {
    await this.#secrets.delete(KEY_NAME);
    this.#stored = undefined;
  }

  /** Every value that must not show in a request, log or record. */
  known(): readonly string[] {
    const fromEnvironment = Object.entries(process.env).flatMap(([name, value]) => (SECRET_NAME.test(name) && value !== undefined ? [value] : []));
    return [...(this.#stored === undefined ? [] : [this.#stored]), ...fromEnvironment];
  }
}

function environmentKey(): string | undefined {
  const value = process.env['OPENAI_API_KEY'];
  return value === undefined || value === '' ? undefined : value;
}

export interface ModelFacts {
  readonly label: string;
  readonly notice: string | undefined;
}

/** What the header shows before a task runs. */
export function modelFacts(policy: Policy): ModelFacts {
  const { modelBaseUrl, modelName } = policy.settings;
  if (modelBaseUrl === '') return { label: 'rehearsal', notice: REHEARSAL_NOTICE };
  return { label: modelName === '' ? 'no model chosen' : modelName, notice: undefined };
}

/** The source for a task: the configured endpoint, else the rehearsal. Loads the openai package only when it is needed. */
export async function chooseModel(policy: Policy, key: ModelKey): Promise<ModelSource> {
  const { modelBaseUrl, modelName, modelIdleSeconds } = policy.settings;
  if (modelBaseUrl === '') return createRehearsal(systemClock);
  if (modelName === '') throw new Error('No model is chosen. Set sluice.model.name to the name your endpoint uses, then send again.');
  const { createOpenAiChat } = await import('../providers/openai-chat/index.ts');
  return createOpenAiChat({ baseUrl: modelBaseUrl, apiKey: await key.read(), model: modelName, idleTimeoutMs: modelIdleSeconds * 1_000 });
}

/** Asks for the address, then the name, then the key; each may be left as it is. Settings go to the user's own. */
export async function connectModel(key: ModelKey): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('sluice');
  const baseUrl = await vscode.window.showInputBox({
    title: 'Connect a model (1/3)', prompt: 'Address of an OpenAI-compatible endpoint. Empty: no model, the rehearsal plays.',
    placeHolder: 'http://127.0.0.1:11434/v1', value: configuration.get('model.baseUrl', ''), ignoreFocusOut: true,
  });
  if (baseUrl === undefined) return;
  await configuration.update('model.baseUrl', baseUrl.trim(), vscode.ConfigurationTarget.Global);
  if (baseUrl.trim() === '') return;
  const name = await vscode.window.showInputBox({ title: 'Connect a model (2/3)', prompt: 'Name of the model, as the endpoint spells it.', value: configuration.get('model.name', ''), ignoreFocusOut: true });
  if (name === undefined) return;
  await configuration.update('model.name', name.trim(), vscode.ConfigurationTarget.Global);
  await askForKey(key, 'Connect a model (3/3)');
}

export async function askForKey(key: ModelKey, title = 'Set API key'): Promise<void> {
  const value = await vscode.window.showInputBox({ title, prompt: 'The key is kept in the editor\'s secret storage. Empty: leave it as it is.', password: true, ignoreFocusOut: true });
  if (value !== undefined && value.trim() !== '') await key.store(value.trim());
}
