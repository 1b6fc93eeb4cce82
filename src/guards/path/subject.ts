import type { EffectOperation } from '../../core/command/form.ts';
import { isWithin, type Place, type Target } from '../../core/command/place.ts';
import type { Action } from '../../core/verdict.ts';

/** One thing done to one path, by a tool or by a command. */
export interface PathSubject {
  readonly operation: EffectOperation;
  readonly target: Target;
  readonly place: Place;
  readonly by: 'tool' | 'command';
}

export interface PathExample {
  readonly operation: EffectOperation;
  /** Relative to the workspace, absolute, or starting with `~/`. */
  readonly path: string;
  /** Known only in part before the run. */
  readonly uncertain?: boolean;
  /** A link on the way leads to another place. */
  readonly leads?: string;
}

/** One rule about paths, shared by the tools and the commands. */
export interface PathRule {
  /** `path/name`, the file's own name. */
  readonly id: string;
  readonly patternKey: string;
  /** Plain words; shown with the path as it was written. */
  readonly reason: string;
  readonly instead?: string | undefined;
  readonly banner?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly judge: (subject: PathSubject) => Action | undefined;
  readonly examples: { readonly hit: readonly PathExample[]; readonly miss: readonly PathExample[] };
}

export const CHANGES: ReadonlySet<EffectOperation> = new Set<EffectOperation>(['write', 'empty', 'delete', 'delete_tree', 'permissions']);
export const READS: ReadonlySet<EffectOperation> = new Set<EffectOperation>(['read', 'read_tree']);

/** Characters that some file systems leave out of a name, and that no eye sees. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g;

/**
 * The components of a path in the spelling that matters: lower case, compatibility forms folded, without
 * streams and trailing dots or blanks. Stricter than any one file system, so that no spelling gets around a rule.
 */
export function folded(path: string): readonly string[] {
  return path.normalize('NFKC').toLowerCase().replaceAll(IGNORED, '').split(/[/\\]/).filter((part) => part !== '')
    .map((part) => part.replace(/(?!^):(?:[^:]*)(?::\$?\w+)?$/, '').replace(/[. ]+$/, '') || part);
}

const PATTERN = /[*?[]/;

/** Whether a component as written, a pattern perhaps, can stand for this name. A pattern does not reach names with a leading dot by itself, and a bare star means nothing in particular. */
export function canBe(component: string, name: string): boolean {
  if (!PATTERN.test(component)) return component === name;
  if (/^\*+$/.test(component) || (name.startsWith('.') && /^[*?]/.test(component))) return false;
  return globExpression(component).test(name);
}

function globExpression(glob: string): RegExp {
  let source = '';
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at] ?? '';
    const close = char === '[' ? glob.indexOf(']', at + 2) : -1;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (close !== -1) {
      const inner = glob.slice(at + 1, close).replace(/\\/g, '\\\\').replace(/^[!^]/, '^').replace(/\[:\w+:\]?/g, '\\s\\S');
      source += `[${inner.replace(/\[/g, '\\[').replace(/\]/g, '\\]')}]`;
      at = close;
    } else source += char.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return /^[\s\S]*$/;
  }
}

/** Whether the path lies in, or is, something whose components end with this row of names. */
export function passesThrough(components: readonly string[], names: readonly string[]): boolean {
  for (let start = 0; start + names.length <= components.length; start += 1) {
    if (names.every((name, index) => canBe(components[start + index] ?? '', name))) return true;
  }
  return false;
}

export function inWorkspace(subject: PathSubject): boolean {
  return subject.place.roots.some((root) => isWithin(subject.target.real, root));
}

/** Relative to the workspace folder it lies in, folded; undefined outside. */
export function relativeParts(subject: PathSubject): readonly string[] | undefined {
  const root = subject.place.roots.find((folder) => isWithin(subject.target.real, folder));
  return root === undefined ? undefined : folded(subject.target.real.slice(root.length));
}

export function inHome(subject: PathSubject): boolean {
  return isWithin(subject.target.real, subject.place.home);
}

/** Whether the folder holds `path` somewhere below, or is it. */
export function contains(folder: string, path: string): boolean {
  return isWithin(path, folder.replace(/\/\*+$/, '') || '/');
}

/** Devices that hold nothing. */
export const QUIET_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|ptmx|fd(?:\/\d+)?)$/;
