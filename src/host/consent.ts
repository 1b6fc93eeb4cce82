import * as vscode from 'vscode';
import { lineSentence, reviewState, reviewText, effectiveText, type NameOf } from '../core/policy/describe.ts';
import type { Policy } from '../core/policy/layers.ts';
import { lineOf } from './policy-places.ts';
import type { LivePolicy } from './settings.ts';

const SCHEME = 'sluice-policy';
/** The pages' language: wraps, without line numbers (see surfaces/contributes.json). */
const LANGUAGE = 'sluice-request';
const EFFECTIVE = '/effective/Effective Policy';
/** More lines than this stand on the page only. */
const MOST_IN_DIALOG = 5;

const KEEP = 'Keep My Settings';
const ALLOW = 'Allow These Lines';
const REVIEW = 'Review...';

/**
 * Asks for consent, and only when a person comes: a notification rings once for exactly these lines, the page shows
 * them, and a dialog whose first button keeps everything as it is takes the answer. Until then nothing waits and
 * nothing loosens. The acceptance goes to the memory, pinned to the lines of the page (see core/policy/consent.ts).
 */
export class PolicyReview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #policy: LivePolicy;
  readonly #log: (line: string) => void;
  readonly #parts: vscode.Disposable;
  readonly #stale = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#stale.event;

  constructor(policy: LivePolicy, log: (line: string) => void) {
    this.#policy = policy;
    this.#log = log;
    this.#parts = vscode.Disposable.from(
      this.#stale,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      policy.onDidChange(() => { this.#changed(); }),
      ...Object.entries({
        'sluice.reviewWorkspacePolicy': () => this.review(), 'sluice.showEffectivePolicy': () => this.#open('info', EFFECTIVE),
        'sluice.policy.allow': () => this.#allow(), 'sluice.policy.keep': () => this.#keep(),
      }).map(([id, run]) => vscode.commands.registerCommand(id, run)),
    );
    this.#ring();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const policy = this.#policy.current;
    if (uri.path === EFFECTIVE) return effectiveText(policy, this.#nameOf);
    if (uri.path === pathOf(policy.consentKey)) return reviewText(policy, this.#nameOf);
    return 'The workspace\'s settings have changed since this page was opened, and nothing was decided.\n\nTo see them as they are now, run "Sluice: Review Workspace Policy...".\n';
  }

  /** Shows what the workspace would loosen, or says that there is nothing. */
  async review(): Promise<void> {
    const policy = this.#policy.current;
    if (policy.consentKey !== undefined) {
      await this.#open(reviewState(policy), pathOf(policy.consentKey));
      return;
    }
    const picked = await vscode.window.showInformationMessage('This workspace\'s settings allow no more than yours do.', 'Show Effective Policy');
    if (picked !== undefined) await this.#open('info', EFFECTIVE);
  }

  dispose(): void {
    this.#parts.dispose();
  }

  #changed(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#stale.fire(uri);
    this.#ring();
  }

  /** Once per set of lines, also over restarts; the lines stay in the Problems panel. */
  #ring(): void {
    const { current: { consentKey: key, consented, trusted }, memory } = this.#policy;
    if (key === undefined || consented || !trusted || memory.hasRung(key)) return;
    memory.ring(key);
    void vscode.window.showInformationMessage('This workspace\'s settings would allow more than yours do.', REVIEW).then((picked) => (picked === undefined ? undefined : this.review()));
  }

  /** Any extension can run this command: only the page in front of the person counts, and the dialog decides. */
  async #allow(): Promise<void> {
    const policy = this.#policy.current;
    const key = policy.consentKey;
    if (key === undefined || reviewState(policy) !== 'ask' || frontPath() !== pathOf(key)) {
      await this.review();
      return;
    }
    const picked = await vscode.window.showWarningMessage('Let this workspace\'s settings do more than yours?', { modal: true, detail: detailOf(policy) }, KEEP, ALLOW);
    if (picked !== ALLOW) return;
    this.#policy.memory.accept(key);
    this.#policy.renew();
    this.#log(`You allowed the workspace's lines ${key}: ${policy.loosening.map(lineSentence).join(' ')}`);
    await closePages();
    const done = this.#policy.current.consentKey === key ? 'These lines are in force in this workspace now.' : 'The lines changed meanwhile. None of them is in force.';
    void vscode.window.showInformationMessage(done, REVIEW).then((again) => (again === undefined ? undefined : this.review()));
  }

  async #keep(): Promise<void> {
    const { consentKey: key, consented } = this.#policy.current;
    if (key !== undefined && consented) {
      this.#policy.memory.revoke(key);
      this.#policy.renew();
      this.#log(`You no longer allow the workspace's lines ${key}. Your own settings are in force.`);
      void vscode.window.showInformationMessage('Your own settings are in force again.');
    }
    await closePages();
  }

  async #open(authority: string, path: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, authority, path }));
    this.#stale.fire(document.uri);
    const named = await vscode.languages.setTextDocumentLanguage(document, LANGUAGE).then((one) => one, () => document);
    await vscode.window.showTextDocument(named, { preview: true });
  }

  readonly #nameOf: NameOf = (place, key) => {
    if (place === undefined) return undefined;
    const found = this.#policy.files.find(({ file }) => file.place === place);
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(place, true));
    const line = found === undefined || key === undefined ? undefined : lineOf(found, key);
    return line === undefined ? name : `${name}, line ${line}`;
  };
}

function detailOf({ loosening }: Policy): string {
  const lines = loosening.slice(0, MOST_IN_DIALOG).map(lineSentence);
  const rest = loosening.length - lines.length;
  return [...lines, ...(rest > 0 ? [`And ${rest} more, as on the page.`] : []), 'Exactly these lines, in this workspace only. When one of them changes you are asked again.'].join('\n\n');
}

/** The title of the tab is its last segment; what is pinned stands before it. */
function pathOf(key: string | undefined): string {
  return `/${(key ?? 'none').replace(':', '-')}/Workspace Policy`;
}

function frontPath(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === SCHEME ? uri.path : undefined;
}

async function closePages(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === SCHEME && input.uri.path !== EFFECTIVE);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
