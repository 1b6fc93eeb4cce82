import { CHANGES, type PathRule } from '../subject.ts';

/** Strange spellings that an editor, a shell and a file system read differently. */
export const spelling: PathRule = {
  id: 'path/spelling', patternKey: 'path_spelling',
  reason: 'The path is written in a way that systems read differently',
  instead: 'Write the plain path.',
  judge: ({ operation, target, place }) => {
    const { asked } = target;
    if (CHANGES.has(operation) && /(?:^|[/\\])git~\d/i.test(asked)) return 'ask';
    if (CHANGES.has(operation) && /%\w+%|![A-Z_]+!/.test(asked)) return 'ask';
    if (/[\0-\x1f\x7f]/.test(asked)) return 'deny';
    if (/^(?:\\\\|\\\?\?\\|\/\/[^/])/.test(asked) || /::\$/.test(asked)) return 'ask';
    const parts = asked.split(place.platform === 'win32' ? /[\\/]/ : '/');
    if (parts.some((part) => /[^. ][. ]+$/.test(part) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(part) && place.platform === 'win32')) return 'ask';
    if (place.platform === 'win32' && (/^[A-Za-z]:(?![\\/])/.test(asked) || /.:.*:|^[^:]{2,}:/.test(asked) || /~\d/.test(asked))) return 'ask';
    return /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/.test(asked) ? 'ask' : undefined;
  },
  examples: {
    hit: [{ operation: 'write', path: 'a\u0000.ts' }, { operation: 'read', path: '\\??\\UNC\\server\\share\\x' }, { operation: 'write', path: '.git /config' }, { operation: 'write', path: '.env::$DATA' }],
    miss: [{ operation: 'write', path: 'src/a.ts' }, { operation: 'read', path: '../x' }, { operation: 'read', path: './a b/c' }],
  },
};
