import { HOLE, literal, type Argument } from '../argument.ts';
import type { Piece } from '../reader/script.ts';
import { directoryValue, expandValue, token, unknown, type Expander } from './expand.ts';
import { assign, uncertain, type State } from './state.ts';

type Parameter = Extract<Piece, { kind: 'parameter' }>;

/** Variables whose values are short plain words wherever the line runs. */
const TAME = new Set(['USER', 'LOGNAME', 'UID', 'EUID', 'PPID', 'RANDOM', 'SECONDS', 'LINENO', 'BASHPID', 'SHLVL', 'HOSTNAME', 'HOSTTYPE', 'OSTYPE', 'COLUMNS', 'LINES', '?', '#', '$', '!', '0', 'EPOCHSECONDS']);
const SECRET = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|AUTH(?!OR))/i;

export function parameterValue(piece: Parameter, state: State, expander: Expander): readonly Argument[] {
  const values = baseValues(piece.name, state, expander);
  const { operator } = piece;
  if (operator === undefined) return [opened(values[0] ?? literal(''), piece.quoted)];
  if (operator === 'all') return values.map((value) => opened(value, piece.quoted));
  if (operator === 'length') return [token()];
  if (operator === 'slice') return [opened(unknown(), piece.quoted)];
  const argument = piece.argument === undefined ? literal('') : expandValue(piece.argument, state, expander);
  return [opened(operate(piece.name, operator, values[0], argument, state), piece.quoted)];
}

function opened(value: Argument, quoted: boolean): Argument {
  const open = value.text.includes(HOLE) && !quoted;
  return open === value.open ? value : { ...value, open };
}

function baseValues(name: string, state: State, expander: Expander): readonly Argument[] {
  const set = state.variables.get(name);
  if (set !== undefined) return set;
  if (name === 'HOME') return [literal(expander.home)];
  if (name === 'PWD') return [directoryValue(state)];
  if (name === 'OLDPWD' && state.previous !== undefined) return [literal(state.previous)];
  if (name === 'IFS') return [literal(' \t\n')];
  if (TAME.has(name)) return [token()];
  if (SECRET.test(name)) expander.secret(name);
  return [unknown()];
}

function known(state: State, name: string): boolean {
  return state.variables.has(name) || name === 'HOME' || name === 'PWD' || name === 'IFS';
}

function operate(name: string, operator: string, value: Argument | undefined, argument: Argument, state: State): Argument {
  const base = value ?? literal('');
  switch (operator) {
    case ':-': case '-': return pick(base, argument, known(state, name), operator);
    case ':=': case '=': {
      const chosen = pick(base, argument, known(state, name), operator);
      assign(state, name, [chosen], false);
      return chosen;
    }
    case ':?': case '?': return base;
    case ':+': case '+': return known(state, name) && !base.dynamic ? (base.text === '' ? literal('') : argument) : { ...argument, dynamic: true };
    default: return strip(operator, base, argument);
  }
}

/** The default, when the variable may be unset: its text counts for the hard blocks, and it stays uncertain. */
function pick(base: Argument, fallback: Argument, isKnown: boolean, operator: string): Argument {
  if (isKnown && !base.dynamic) return base.text === '' && operator.startsWith(':') ? fallback : base;
  return uncertain([fallback])[0] ?? fallback;
}

function strip(operator: string, base: Argument, argument: Argument): Argument {
  if (base.dynamic || argument.dynamic) return base.text.includes(HOLE) || argument.dynamic ? unknown() : base;
  const { text } = base;
  const pattern = argument.text;
  const changed = (next: string): Argument => ({ ...base, text: next });
  if (operator === '##' && pattern === '*/') return changed(text.slice(text.lastIndexOf('/') + 1));
  if (operator === '%' && pattern === '/*') return changed(text.includes('/') ? text.slice(0, text.lastIndexOf('/')) : text);
  if ((operator === '%' || operator === '%%') && pattern === '.*') return changed(text.includes('.') ? text.slice(0, text.lastIndexOf('.')) : text);
  if (/[*?[\\]/.test(pattern)) return unknown();
  if (operator === '%' || operator === '%%') return changed(text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text);
  if (operator === '#' || operator === '##') return changed(text.startsWith(pattern) ? text.slice(pattern.length) : text);
  return unknown();
}
