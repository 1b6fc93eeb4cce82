// @ts-check
/**
 * Writes what follows from other files: `contributes` and the restricted settings in package.json, the settings
 * table in README.md, and ThirdPartyNotices.txt. `--check` changes nothing and fails when something is stale.
 *
 * Sources: the settings in src/core/policy/schema.ts, and every src/<part>/contributes.json (commands, menus, views,
 * activation events), joined in the order of the parts' names.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { SETTINGS } from '../core/policy/schema.ts';
import { makeNotices } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const check = process.argv.includes('--check');

const GROUPS = {
  model: 'Model', profile: 'Profile and tools', approval: 'Approval', paths: 'Paths', network: 'Network',
  execution: 'Execution and sandbox', budgets: 'Budgets and audit',
};

/** @typedef {{ key: string, group: keyof typeof GROUPS, scope: string, description: string, schema: z.ZodType, default: unknown, valueDescriptions?: readonly string[] }} AnySetting */
/** @type {AnySetting[]} */
const settings = Object.values(SETTINGS);

function configuration() {
  return Object.entries(GROUPS).map(([group, title], index) => ({
    title, order: index + 1,
    properties: Object.fromEntries(settings.filter((setting) => setting.group === group).map((setting, order) => [`sluice.${setting.key}`, property(setting, order)])),
  })).filter((group) => Object.keys(group.properties).length > 0);
}

/** @param {AnySetting} setting @param {number} order */
function property(setting, order) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(setting.schema, { target: 'draft-7' });
  return {
    ...schema, default: setting.default, scope: setting.scope, order, markdownDescription: setting.description,
    ...(setting.valueDescriptions === undefined ? {} : { enumDescriptions: setting.valueDescriptions }),
  };
}

/** Settings that a workspace could set at all: not read from an untrusted one by the editor either. */
function restricted() {
  return settings.filter(({ scope }) => scope === 'window' || scope === 'resource').map(({ key }) => `sluice.${key}`);
}

async function contributions() {
  /** @type {Record<string, any>} */
  const merged = {};
  for (const part of (await readdir(join(root, 'src'), { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => entry.name).toSorted()) {
    const file = join(root, 'src', part, 'contributes.json');
    if (existsSync(file)) merge(merged, JSON.parse(await readFile(file, 'utf8')));
  }
  merge(merged, { contributes: { configuration: configuration() } });
  return merged;
}

/** Lists are joined, objects merged key by key. @param {Record<string, any>} into @param {Record<string, any>} from */
function merge(into, from) {
  for (const [key, value] of Object.entries(from)) {
    if (Array.isArray(value)) into[key] = [...(into[key] ?? []), ...value];
    else if (typeof value === 'object' && value !== null) merge(into[key] ??= {}, value);
    else into[key] = value;
  }
}

/** @param {string} text */
async function packageJson(text) {
  const manifest = JSON.parse(text);
  Object.assign(manifest, await contributions());
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restricted();
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const TABLE = /(<!-- settings -->)[\s\S]*?(<!-- \/settings -->)/;

/** @param {string} text */
function readme(text) {
  const rows = settings.map((setting) => `| \`sluice.${setting.key}\` | \`${JSON.stringify(setting.default)}\` | ${whoSets(setting.scope)} | ${setting.description.replaceAll('|', '\\|')} |`);
  const table = ['| setting | default | who may set it | effect |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return text.replace(TABLE, `$1\n${table}\n$2`);
}

/** @param {string} scope */
function whoSets(scope) {
  return scope === 'application' || scope === 'machine' ? 'you' : 'you; a workspace may tighten';
}

let stale = 0;
/** @param {string} name @param {(text: string) => string | Promise<string>} make */
async function generate(name, make) {
  const path = join(root, name);
  const before = await readFile(path, 'utf8');
  const after = await make(before);
  if (after === before) return;
  if (check) {
    console.error(`${name} is stale: run "npm run gen" and commit the result.`);
    stale += 1;
  } else {
    await writeFile(path, after);
    console.log(`${name} written.`);
  }
}

await generate('package.json', packageJson);
if (existsSync(join(root, 'README.md'))) await generate('README.md', readme);
await generate('ThirdPartyNotices.txt', makeNotices);
process.exitCode = stale === 0 ? 0 : 1;
