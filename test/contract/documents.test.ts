/** What people read names things that exist: files, commands, settings, packages. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Step {
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image?: string; readonly markdown?: string; readonly altText?: string };
}
interface Manifest {
  readonly icon: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
}

const root = resolve(import.meta.dirname, '../..');
const PICTURE_LIMIT_BYTES = 150 * 1_024;
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'src/README.md'] as const;

const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const commands = manifest.contributes.commands;
const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

test.for(DOCUMENTS)('%s links to files that exist', (name) => {
  const targets = all(read(name), /\]\(([^)#]+)\)/g).filter((target) => !target.startsWith('https://'));
  expect(targets.filter((target) => !existsSync(join(root, dirname(name), target)))).toEqual([]);
});

test.for(DOCUMENTS)('%s names paths that exist', (name) => {
  const paths = all(read(name), /`((?:src|test)\/[\w./-]+)`/g);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the guides name paths and settings at all', () => {
  expect(all(read('SECURITY.md'), /`(src\/[\w./-]+)`/g).length).toBeGreaterThan(10);
  expect(all(read('README.md'), /`(sluice\.[\w.]+)/g).length).toBeGreaterThan(10);
});

test('README.md names settings that exist, and every command for people', () => {
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  const named = all(read('README.md').replace(/<!-- settings -->[\s\S]*<!-- \/settings -->/, ''), /`(sluice\.\w+(?:\.\w+)*)[`:]/g);
  expect(named.filter((name) => !settings.includes(name))).toEqual([]);
  const forPeople = commands.filter(({ command }) => !/^sluice\.(diff|policy|approvals|activity)\./.test(command));
  expect(forPeople.filter(({ title }) => !read('README.md').includes(title.replace(/\.\.\.$/, ''))).map(({ title }) => title)).toEqual([]);
  const asked = all(read('README.md'), /\*Sluice: ([^*]+)\*/g);
  expect(asked.filter((title) => !commands.some((command) => command.title === title))).toEqual([]);
});

test('CONTRIBUTING.md gives a reason for every dependency', () => {
  const text = read('CONTRIBUTING.md');
  const rows = all(text.slice(text.indexOf('## Dependencies')), /^\| ([^|]+) \|/gm).flatMap((cell) => cell.split(', '));
  expect(Object.keys(manifest.devDependencies).filter((name) => !rows.includes(name))).toEqual([]);
});

test('the walkthrough has its media, described, and commands that exist', () => {
  expect(steps.length).toBeGreaterThan(3);
  for (const { description, media } of steps) {
    const file = media.image ?? media.markdown ?? '';
    expect(existsSync(join(root, file)), file).toBe(true);
    if (media.image !== undefined) expect(media.altText?.length).toBeGreaterThan(20);
    for (const command of all(description, /\(command:([\w.]+)\)/g)) expect(commands.map((one) => one.command)).toContain(command);
  }
});

test('pictures are small', () => {
  const pictures = [manifest.icon, ...all(read('README.md'), /!\[[^\]]*\]\(([^)]+)\)/g), ...steps.flatMap(({ media }) => media.image ?? [])];
  expect(pictures.filter((picture) => statSync(join(root, picture)).size >= PICTURE_LIMIT_BYTES)).toEqual([]);
});
