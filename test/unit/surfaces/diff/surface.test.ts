import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { frontTab, leaks, reset, seen, settle, Uri } from '../../../fakes/vscode.ts';
import { fileChange, pathResource } from '../../core/approval/card-samples.ts';
import { commandRequest, TestDesk, writeRequest } from '../review/samples.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { DiffSurface } = await import('../../../../src/surfaces/diff/surface.ts');
const { ProposedFiles } = await import('../../../../src/surfaces/diff/proposed-files.ts');
const { diffFiles } = await import('../../../../src/surfaces/diff/addresses.ts');

const two = [fileChange(), fileChange({ path: pathResource({ relative: 'test/b.js' }), after: 'a\nb\nC\n' })];
const opened = (id: string): readonly (readonly unknown[])[] => seen.executed.filter((call) => call.id === id).map((call) => call.args);

function document(authority: string, text: string, isDirty = true): (typeof seen.documents)[number] {
  const made = { uri: new Uri('sluice-proposed', authority, '/src/date.js'), text, isDirty, getText: () => made.text, save: () => { made.isDirty = false; return Promise.resolve(true); } };
  seen.documents.push(made);
  return made;
}

describe('DiffSurface', () => {
  let desk: TestDesk;
  let surface: InstanceType<typeof DiffSurface>;
  beforeEach(async () => {
    reset();
    desk = new TestDesk();
    surface = new DiffSurface(desk);
    await settle();
  });
  afterEach(async () => {
    surface.dispose();
    await settle();
    expect(leaks()).toEqual([]);
    expect(desk.lines).toEqual([]);
    expect(desk.answers).toEqual([]);
  });

  it('opens one diff by itself, without the focus', async () => {
    surface.open(writeRequest('w'));
    await settle();
    const [left, right, title, options] = opened('vscode.diff')[0] ?? [];
    expect(left).toMatchObject({ scheme: 'sluice-base', authority: 'w.1-of-1', path: '/src/date.js' });
    expect(right).toMatchObject({ scheme: 'sluice-proposed', authority: 'w.1-of-1', path: '/src/date.js' });
    expect(title).toBe('src/date.js (proposed by Sluice)');
    expect(options).toMatchObject({ preserveFocus: true, preview: true });
  });

  it('opens nothing for a command', async () => {
    surface.open(commandRequest('c'));
    await settle();
    expect(seen.executed).toEqual([]);
  });

  it('opens every file without the focus, the first in front, and all at once when a person asks', async () => {
    const request = writeRequest('w', two);
    surface.open(request);
    await settle();
    expect(opened('vscode.diff').map((args) => args[2])).toEqual(['test/b.js (2 of 2, proposed by Sluice)', 'src/date.js (1 of 2, proposed by Sluice)']);
    surface.show(request);
    expect(opened('vscode.changes')[0]?.[0]).toBe('Proposed by Sluice');
  });

  it('does not cover a proposal the person may be typing in', async () => {
    surface.open(writeRequest('a'));
    await settle();
    surface.open(writeRequest('b'));
    await settle();
    expect(opened('vscode.diff')).toHaveLength(1);
  });

  it('hands out what the person changed, saved or not, and nothing else (DP-06)', () => {
    surface.open(writeRequest('w', two));
    expect(surface.edits('w')).toBeUndefined();
    document('w.1-of-2', 'a\nmine\nc\n');
    expect(surface.edits('w')).toEqual({ '/home/dev/sample/src/date.js': 'a\nmine\nc\n' });
    expect(surface.edits('unknown')).toBeUndefined();
  });

  it('closes the tabs of an ended request, saving into memory first so that nothing is asked (DP-01)', async () => {
    surface.open(writeRequest('w'));
    await settle();
    const tab = seen.groups[0]?.tabs[0];
    if (tab === undefined) throw new Error('no tab');
    tab.isDirty = true;
    const open = document('w.1-of-1', 'edited');
    surface.close('w');
    await settle();
    expect(open.isDirty).toBe(false);
    expect(seen.closedTabs).toEqual([tab]);
  });

  it('leaves a tab open that cannot be saved', async () => {
    surface.open(writeRequest('w'));
    await settle();
    const tab = seen.groups[0]?.tabs[0];
    if (tab === undefined) throw new Error('no tab');
    tab.isDirty = true;
    document('w.1-of-1', 'edited').save = () => Promise.resolve(false);
    surface.close('w');
    await settle();
    expect(seen.closedTabs).toEqual([]);
  });

  it('tolerates any order', async () => {
    surface.close('never');
    surface.open(writeRequest('w'));
    surface.close('w');
    surface.close('w');
    surface.show(writeRequest('w'));
    await settle();
    expect(seen.groups[0]?.tabs.filter((tab) => !seen.closedTabs.includes(tab))).toEqual([]);
  });

  it('closes tabs the editor restored for requests that are gone, and no others', async () => {
    surface.dispose();
    const gone = frontTab({ modified: new Uri('sluice-proposed', 'old.1-of-1', '/a.js') });
    const own = frontTab({ uri: new Uri('file', '', '/home/dev/a.js') });
    const waiting = frontTab({ modified: new Uri('sluice-proposed', 'w.1-of-1', '/src/date.js') });
    desk.waiting.set('w', writeRequest('w'));
    surface = new DiffSurface(desk);
    await settle();
    expect(seen.closedTabs).toEqual([gone]);
    expect(seen.groups[0]?.tabs).toEqual([own, waiting]);
  });
});

describe('diffFiles', () => {
  it.each(['src/[slug]/a b.ts', '50%25 off/#x/q?.js', '-rf', 'é/e\u0301', '(group)/{x}.ts', 'back\\slash'])('keeps the name %j whole (ED-17)', (relative) => {
    const [file] = diffFiles(writeRequest('w', [fileChange({ path: pathResource({ relative }) })]));
    expect(file).toMatchObject({ authority: 'w.1-of-1', path: `/${relative}` });
  });

  it('tells apart the same name in two folders', () => {
    const places = diffFiles(writeRequest('w', [fileChange(), fileChange({ path: pathResource({ folder: '/home/dev/other' }) })])).map((file) => file.place);
    expect(new Set(places).size).toBe(2);
  });
});

describe('ProposedFiles', () => {
  const uri = new Uri('sluice-proposed', 'w.1-of-1', '/a.js') as never;
  it('gives the text back as it was, marked as UTF-8 for the editor', () => {
    const files = new ProposedFiles(() => 1);
    files.put('w.1-of-1/a.js', '\uFEFFgrün\r\n', false);
    expect([...files.readFile(uri).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(files.text('w.1-of-1/a.js')).toBe('\uFEFFgrün\r\n');
    files.writeFile(uri, new TextEncoder().encode('\uFEFFsaved'));
    expect(files.text('w.1-of-1/a.js')).toBe('saved');
    expect(files.stat(uri).mtime).toBeGreaterThan(1);
  });

  it('refuses what is not UTF-8 with its mark, a deletion\'s empty side, and unknown files', () => {
    const files = new ProposedFiles(() => 1);
    expect(() => files.writeFile(uri, new Uint8Array())).toThrow('FileNotFound');
    files.put('w.1-of-1/a.js', 'x', false);
    expect(() => files.writeFile(uri, new TextEncoder().encode('x'))).toThrow('NoPermissions');
    files.put('w.1-of-1/a.js', '', true);
    expect(() => files.writeFile(uri, new TextEncoder().encode('\uFEFFx'))).toThrow('NoPermissions');
    expect(files.stat(uri).permissions).toBe(1);
    expect(() => files.delete(uri)).toThrow('NoPermissions');
  });
});

