import { describe, expect, it } from 'vitest';
import { toastFor } from '../../../../src/surfaces/notification/toast.ts';
import { decision, fileChange, pathResource } from '../../core/approval/card-samples.ts';
import { commandRequest, writeRequest } from '../review/samples.ts';

const titles = (...requests: Parameters<typeof toastFor>[0]): readonly string[] => (toastFor(requests)?.buttons ?? []).map((button) => button.title);

describe('toastFor', () => {
  it('says a short command whole, where it runs and how', () => {
    const toast = toastFor([commandRequest('req_a1b2c3', 'npm test', { offerSession: true })]);
    expect(toast?.message).toBe('Run "npm test" in sample? Confined, no network. #b2c3');
    expect(toast?.severity).toBe('information');
    expect(toast?.buttons.map((button) => button.title)).toEqual(['Review…', 'Approve', 'Approve for Session', 'Deny']);
  });

  it('says in words, and as a warning, that nothing confines it', () => {
    const toast = toastFor([commandRequest('r', 'npm test', { confinement: 'unconfined' })]);
    expect(toast?.message).toContain('Unconfined, network open.');
    expect(toast?.severity).toBe('warning');
    expect(toast?.buttons.map((button) => button.title)).toEqual(['Review…', 'Approve', 'Deny']);
  });

  it('never has an approval as the first button: a chord of the editor presses it', () => {
    for (const request of [commandRequest('a'), writeRequest('b'), commandRequest('c', 'x'.repeat(900))]) {
      expect(toastFor([request])?.buttons[0]?.action).toBe('review');
    }
  });

  it('differs for two equal requests (AP-06)', () => {
    expect(toastFor([commandRequest('req_1111')])?.message).not.toBe(toastFor([commandRequest('req_2222')])?.message);
  });

  it.each([
    ['newlines', commandRequest('r', `echo ok${'\n'.repeat(200)}touch pwned`)],
    ['two lines', commandRequest('r', 'echo ok\ntouch pwned')],
    ['hidden characters', commandRequest('r', 'echo \u202Eok')],
    ['length', commandRequest('r', `echo ${'x'.repeat(5_000)}; touch pwned`)],
    ['a link, whose address a toast hides', commandRequest('r', 'echo [ok](command:workbench.action.quit)')],
    ['a banner', writeRequest('r', [fileChange()], { decision: decision({ banner: 'This file runs code or changes settings.' }) })],
  ])('offers only Review when there is more than it can show: %s (AP-09)', (_, request) => {
    expect(titles(request)).toEqual(['Review…']);
  });

  it('says how much more there is, and shows the end', () => {
    const message = toastFor([commandRequest('r', `echo ${'x'.repeat(5_000)}; touch pwned`)])?.message ?? '';
    expect(message).toContain('touch pwned in sample?');
    expect(message).toContain('4,922 more characters.');
    expect(message.length).toBeLessThan(300);
    expect(toastFor([commandRequest('r', 'echo [ok](command:quit)')])?.message).not.toContain('](');
  });

  it('leads with the banner', () => {
    const request = writeRequest('r', [fileChange()], { decision: decision({ banner: 'This file runs code or changes settings.' }) });
    expect(toastFor([request])?.message).toMatch(/^This file runs code or changes settings\. Change src\/date\.js \(\+1 -1\) in sample\?/);
  });

  it('names changes with their line counts and offers the diff first', () => {
    expect(toastFor([writeRequest('w')])?.message).toBe('Change src/date.js (+1 -1) in sample? #w');
    expect(titles(writeRequest('w'))).toEqual(['Open Diff', 'Approve', 'Deny']);
    const two = writeRequest('w', [fileChange(), fileChange({ path: pathResource({ relative: 'b.js' }), before: '', after: 'x\n', change: 'create' })]);
    expect(toastFor([two])?.message).toBe('Change 2 files: src/date.js (+1 -1), new file b.js (+1) in sample? #w');
    expect(titles(two)).toEqual(['Open Diff', 'Approve All', 'Deny']);
    expect(toastFor([writeRequest('w', [fileChange({ change: 'create', before: '', after: 'x\n' })])])?.message).toMatch(/^Create src\/date\.js \(\+1\) in sample\?/);
  });

  it('rings once for several, and not at all for none', () => {
    expect(toastFor([commandRequest('a'), commandRequest('b'), writeRequest('c')])).toEqual({
      severity: 'warning', message: '3 requests wait for you.', buttons: [{ title: 'Review…', action: 'review' }],
    });
    expect(toastFor([])).toBeUndefined();
  });
});
