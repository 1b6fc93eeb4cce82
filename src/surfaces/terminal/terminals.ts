import * as vscode from 'vscode';
import { drawVisible } from '../../core/approval/visible.ts';
import { bounded, rows, terminalName } from './screen.ts';

/** Tabs at a time; a further command takes the tab that finished first. */
const MOST_TABS = 4;

/** Where a running command's output goes. Both calls are allowed after the tab was closed. */
export interface CommandOutput {
  write(text: string): void;
  /** `summary`: "exit 0 · 1.2 s". */
  end(summary: string): void;
}

const NOWHERE: CommandOutput = { write: () => undefined, end: () => undefined };

/**
 * One read-only terminal tab per running command, made without taking the focus or opening the panel. Typing in
 * it does nothing; closing it does not stop the command.
 */
export class CommandTerminals implements vscode.Disposable {
  readonly #keep: () => boolean;
  readonly #screens: Screen[] = [];

  /** `keep`: whether a tab stays after its command ended; asked at each end. */
  constructor(keep: () => boolean) {
    this.#keep = keep;
  }

  /** `line` is the command as the person read it. When every tab is in use the output is only in the chat. */
  start(line: string): CommandOutput {
    const screen = this.#free();
    if (screen === undefined) return NOWHERE;
    const run = screen.begin(line);
    return {
      write: (text) => { if (screen.run === run) screen.write(text); },
      end: (summary) => { if (screen.run === run) screen.end(summary, this.#keep()); },
    };
  }

  dispose(): void {
    for (const screen of this.#screens.splice(0)) screen.dispose();
  }

  #free(): Screen | undefined {
    for (const gone of this.#screens.filter((screen) => screen.closed)) this.#screens.splice(this.#screens.indexOf(gone), 1);
    if (this.#screens.length < MOST_TABS) {
      const screen = new Screen();
      this.#screens.push(screen);
      return screen;
    }
    const index = this.#screens.findIndex((screen) => screen.finished);
    const [screen] = index < 0 ? [] : this.#screens.splice(index, 1);
    if (screen !== undefined) this.#screens.push(screen);
    return screen;
  }
}

class Screen implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #name = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<void>();
  readonly onDidWrite = this.#write.event;
  readonly onDidChangeName = this.#name.event;
  readonly onDidClose = this.#close.event;
  /** Counts the commands shown here; a late write of an earlier one is dropped. */
  run = 0;
  finished = false;
  closed = false;
  #terminal: vscode.Terminal | undefined;
  #opened = false;
  #early = '';

  begin(line: string): number {
    this.run += 1;
    this.finished = false;
    const name = terminalName(drawVisible(line).text);
    if (this.#terminal === undefined) {
      this.#terminal = vscode.window.createTerminal({ name, pty: this, iconPath: new vscode.ThemeIcon('shield'), isTransient: true });
    } else {
      this.#name.fire(name);
      this.#put('\x1b[2J\x1b[3J\x1b[H');
    }
    this.#put(`\x1b[1m${rows(drawVisible(line).text)}\x1b[0m\r\n`);
    return this.run;
  }

  write(text: string): void {
    this.#put(rows(text));
  }

  end(summary: string, keep: boolean): void {
    this.finished = true;
    if (keep) this.#put(`\r\n\x1b[2m${rows(summary)}\x1b[0m\r\n`);
    else this.dispose();
  }

  open(): void {
    this.#opened = true;
    const early = this.#early;
    this.#early = '';
    if (early !== '') this.#write.fire(early);
  }

  /** The person closed the tab, or the window closes. */
  close(): void {
    this.dispose();
  }

  dispose(): void {
    if (this.closed) return;
    this.closed = true;
    this.#early = '';
    this.#terminal?.dispose();
    this.#write.dispose();
    this.#name.dispose();
    this.#close.dispose();
  }

  #put(text: string): void {
    if (this.closed) return;
    if (this.#opened) this.#write.fire(text);
    else this.#early = bounded(this.#early + text);
  }
}
