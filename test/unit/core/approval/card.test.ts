import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_SAYS_LIMIT, buildCard, cardLines } from '../../../../src/core/approval/card.ts';
import type { Concern, PathEffect, Segment, ShellForm } from '../../../../src/core/command/form.ts';
import { commandInput, command, decision, fileChange, pathResource, samples, writeInput } from './card-samples.ts';

const folder = join(import.meta.dirname, '../../../golden/cards');

describe('golden cards', () => {
  // UPDATE_GOLDEN=1 rewrites them; the difference is then read in review.
  if (process.env['UPDATE_GOLDEN'] === '1') {
    for (const [name, input] of Object.entries(samples)) writeFileSync(join(folder, `${name}.txt`), `${cardLines(buildCard(input)).join('\n')}\n`);
  }
  it.each(Object.entries(samples))('%s', (name, input) => {
    expect(`${cardLines(buildCard(input)).join('\n')}\n`).toBe(readFileSync(join(folder, `${name}.txt`), 'utf8'));
  });
  it('has one file a sample and no other', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(samples).map((name) => `${name}.txt`).sort());
  });
});

describe('buildCard', () => {
  it('keeps the whole target: every non-blank visible character is in it, in order (AP-09)', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const { target } = buildCard(commandInput(text));
      let at = 0;
      for (const character of text) {
        if (/\s|[\p{C}\p{Z}\p{DI}\u2800⟨⟩]/u.test(character)) continue;
        at = target.indexOf(character, at) + character.length;
        expect(at).toBeGreaterThan(character.length - 1);
      }
    }));
  });

  it('shows the tail of a command behind 200 newlines within a few lines', () => {
    const card = buildCard(commandInput(`echo ok${'\n'.repeat(200)}touch pwned`));
    expect(card.target).toBe('echo ok\n⟨200 newlines⟩\ntouch pwned');
    expect(card.hiddenCharacters).toBe(true);
  });

  it('offers the session only when the caller says so, and says what it covers', () => {
    expect(buildCard(commandInput('npm test')).choices).toEqual([{ scope: 'once', covers: 'once' }]);
    expect(buildCard(commandInput('npm test', { offerSession: true })).choices[1]).toEqual({
      scope: 'session', covers: 'this session: exactly `npm test` in sample',
    });
    expect(buildCard(commandInput('x'.repeat(90), { offerSession: true })).choices[1]?.covers).toBe('this session: exactly this command in sample');
  });

  it('says what a command was found to change and to reach, each once and a few at most', () => {
    const target = (real: string, uncertain = false) => ({ asked: real, real, uncertain, glob: false, linked: false });
    const segment = (effects: readonly PathEffect[], concerns: readonly Concern[] = []): Segment => ({
      argv: [], name: '', origin: 'name', via: [], assignments: [], redirects: [], directories: [], input: { kind: 'inherited' }, background: false, effects, concerns,
    });
    const analysis: ShellForm = {
      doubts: [], functions: [],
      segments: [
        segment([{ operation: 'write', target: target('/home/dev/sample/src/a.ts') }, { operation: 'write', target: target('/home/dev/sample/src/a.ts') }, { operation: 'read', target: target('/home/dev/sample/b') }]),
        segment([{ operation: 'delete_tree', target: target('/tmp/x', true) }], [{ key: 'network', detail: 'curl', address: 'https://example.org\u202e' }]),
      ],
    };
    const card = buildCard(commandInput('x', { resources: [command('x', { analysis })] }));
    expect(card.touches.slice(0, 3)).toEqual(['writes src/a.ts', 'deletes everything in /tmp/x · outside this folder · known in part', 'would reach https://example.org⟨U+202E⟩']);
    expect(card.hiddenCharacters).toBe(true);
    const many = segment(Array.from({ length: 20 }, (_, at) => ({ operation: 'write' as const, target: target(`/home/dev/sample/f${at}`) })));
    const long = buildCard(commandInput('x', { resources: [command('x', { analysis: { ...analysis, segments: [many] } })] }));
    expect(long.touches[8]).toBe('and 12 more');
  });

  it('never says that an unconfined command has no network', () => {
    const card = buildCard(commandInput('ls', { confinement: 'unconfined', network: 'closed' }));
    expect(card.where).toBe('in sample · unconfined · network open');
  });

  it('bounds what the agent says to one paragraph', () => {
    const says = buildCard(commandInput('ls', { agentSays: `a\n\n${'\u202E'.repeat(5)}${'b'.repeat(5000)}` })).agentSays ?? '';
    expect([...says].length).toBeLessThanOrEqual(AGENT_SAYS_LIMIT);
    expect(says).toMatch(/^a ⟨U\+202E ×5⟩b+…$/);
    expect(buildCard(commandInput('ls', { agentSays: ' \n ' })).agentSays).toBeUndefined();
  });

  it('names a reason once, the strictest first, and its rule', () => {
    const asked = decision();
    const other = { ...asked.findings[0]!, rule: 'network/none', reason: 'reaches the network', patternKey: 'network_denied' };
    const allowed = { ...asked.findings[0]!, action: 'allow' as const, reason: 'read only' };
    const card = buildCard(commandInput('ls', { decision: { ...asked, findings: [allowed, asked.findings[0]!, other] } }));
    expect(card.why).toBe('commands are asked unless a rule lists them · reaches the network');
    expect(card.rule).toBe('shell/not_listed');
  });

  it('has words when nothing but the kind of action asks', () => {
    const card = buildCard(commandInput('ls', { decision: { action: 'allow', reason: '', patternKey: 'none', approvalAction: 'run_command', findings: [] } }));
    expect(card.why).toBe('this kind of action is asked before it runs');
    expect(card.rule).toBe('none');
  });

  it('warns about a working folder behind a link or outside', () => {
    const cwd = pathResource({ asked: 'build', real: '/tmp/build', relative: undefined, folder: undefined, linked: true });
    expect(buildCard(commandInput('ls', { resources: [command('ls', { cwd })] })).touches[0])
      .toBe('runs in /tmp/build · outside the workspace · through the link build');
  });

  it('draws a blank at the end of a name and a name that is not what it looks like', () => {
    const card = buildCard(writeInput([fileChange({ path: pathResource({ relative: 'a\u00A0b ' }) })]));
    expect(card.target).toBe('a⟨U+00A0⟩b⟨space⟩');
    expect(card.touches[0]).toBe('a⟨U+00A0⟩b⟨space⟩ (+1 -1)');
    expect(card.hiddenCharacters).toBe(true);
  });

  it('says in numbers that a rewrite throws lines away (ED-19)', () => {
    expect(buildCard(samples['rewrite-loses-lines']!).touches[0]).toBe('keep.md (-380) · removes 380 lines');
  });

  it('touches a changed path once although it is also a resource', () => {
    expect(buildCard(writeInput([fileChange()])).touches).toEqual(['src/date.js (+1 -1)']);
  });
});
