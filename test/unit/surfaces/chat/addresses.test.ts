import { expect, it } from 'vitest';
import { isRelativePath, isWebAddress } from '../../../../src/surfaces/chat/addresses.ts';

it.each(['java\nscript:alert(1)', '\u0001javascript:x', 'a\tb', 'command:x', 'data:text/html,x', 'vscode://x/y', 'file:///x', '//host/x', '\\\\host\\x', 'C:\\x', '../x', 'a/../../x', ''])('%j is no path of a link', (text) => {
  expect(isRelativePath(text)).toBe(false);
});

it.each(['https://e.example\n', 'https://e.example/\u0000', 'https://user:secret@e.example/', 'javascript:x', ' https://e.example', 'ftp://e.example'])('%j is no address of a link', (text) => {
  expect(isWebAddress(text)).toBe(false);
});

it('plain paths and addresses are', () => {
  expect(['src/a b.ts', './x', 'é/x.md', 'a#b'].every(isRelativePath)).toBe(true);
  expect(['https://e.example/a?b=c#d', 'http://127.0.0.1:1/'].every(isWebAddress)).toBe(true);
});
