import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { EMPTY_NAMES, LAYERS, LIMITS, WIRINGS } from '../../src/build/layers.mjs';

const root = resolve(import.meta.dirname, '../..');

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const sources: readonly SourceFile[] = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|mjs)$/.test(name) && !name.endsWith('.d.ts'))
  .map((name) => {
    const path = `src/${name.replaceAll('\\', '/')}`;
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  });

function layerOf(path: string): string | undefined {
  const inside = path.replace(/^src\//, '');
  return Object.keys(LAYERS).filter((layer) => inside.startsWith(`${layer}/`)).sort((a, b) => b.length - a.length)[0];
}

function importsOf({ tree }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) found.push(node.moduleSpecifier.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && node.arguments[0] && ts.isStringLiteral(node.arguments[0])) found.push(node.arguments[0].text);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) found.push(node.argument.literal.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Why an import is not allowed, or undefined. */
function objection(file: SourceFile, specifier: string): string | undefined {
  const layer = layerOf(file.path);
  if (layer === undefined) return 'stands in no layer';
  const rule = LAYERS[layer]!;
  if (specifier.startsWith('.')) {
    const target = relative(root, resolve(root, dirname(file.path), specifier)).replaceAll('\\', '/').replace(/^src\//, '');
    return rule.parts.some((part) => target.startsWith(`${part}/`) || `../${target}` === part) ? undefined : `${layer} may not import from ${target}`;
  }
  if (rule.packages.includes('*')) return undefined;
  const fits = rule.packages.some((name) => (name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`)));
  return fits ? undefined : `${layer} may not import ${specifier}`;
}

describe('architecture', () => {
  it('finds the sources', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  it('keeps to the import table', () => {
    const wrong = sources.filter(({ path }) => !WIRINGS.includes(path)).flatMap((file) => importsOf(file).flatMap((specifier) => {
      const why = objection(file, specifier);
      return why === undefined ? [] : [`${file.path}: ${why}`];
    }));
    expect(wrong).toEqual([]);
  });

  it('keeps clock, chance, Node and the DOM out of the decision', () => {
    const pattern = /\b(Date\.now|Math\.random|new Date\(\)|performance\.now|process\.|document\.|window\.|setTimeout|setInterval|globalThis)\b/;
    const wrong = sources.filter(({ path }) => /^src\/(core|guards|tools)\//.test(path)).flatMap(({ path, text }) => text.split('\n')
      .flatMap((line, index) => (pattern.test(line.replace(/\/\/.*|\/?\*.*|'[^']*'|`[^`]*`/g, '')) ? [`${path}:${index + 1}: ${line.trim()}`] : [])));
    expect(wrong).toEqual([]);
  });

  it('starts processes and writes raw files in the sandbox folder only', () => {
    const processes = sources.filter(({ path, text }) => !/^src\/(sandbox|build)\//.test(path) && /['"](node:)?child_process['"]/.test(text));
    const writes = sources.filter(({ path, text }) => !/^src\/(sandbox|build)\//.test(path) && /\b(writeFile|appendFile|createWriteStream|unlink|rmdir|mkdir|rename|copyFile|symlink)(Sync)?\s*[,(]/.test(text.replace(/workspace\.fs\.\w+/g, '')) && /node:fs/.test(text));
    expect(processes.map(({ path }) => path)).toEqual([]);
    expect(writes.map(({ path }) => path)).toEqual([]);
  });

  it('issues grants in the gate only', () => {
    const issuers = sources.filter(({ text }) => text.includes('Granted.issue(')).map(({ path }) => path);
    expect(issuers).toEqual(['src/core/chain/07-gate.ts']);
  });

  it('keeps files, functions and import lists small', () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const lines = file.text.trimEnd().split('\n').length;
      if (lines > LIMITS.lines) wrong.push(`${file.path} has ${lines} lines`);
      if (!WIRINGS.includes(file.path)) {
        const imports = file.tree.statements.filter((statement) => ts.isImportDeclaration(statement)).length;
        if (imports > LIMITS.imports) wrong.push(`${file.path} has ${imports} imports`);
      }
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node) && 'body' in node && node.body) {
          const from = file.tree.getLineAndCharacterOfPosition(node.getStart()).line;
          const length = file.tree.getLineAndCharacterOfPosition(node.end).line - from + 1;
          if (length > LIMITS.functionLines && !WIRINGS.includes(file.path)) wrong.push(`${file.path}:${from + 1} is a function of ${length} lines`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file.tree);
    }
    expect(wrong).toEqual([]);
  });

  it('has no default exports, no empty names and no mutable module state', () => {
    const wrong = sources.flatMap((file) => {
      const found: string[] = [];
      if (EMPTY_NAMES.test(file.path.split('/').at(-1)!)) found.push(`${file.path}: name`);
      if (file.path.endsWith('.ts') && /^export default\b/m.test(file.text)) found.push(`${file.path}: default export`);
      for (const statement of file.tree.statements) {
        if (ts.isVariableStatement(statement) && !(statement.declarationList.flags & ts.NodeFlags.Const) && file.path.endsWith('.ts')) found.push(`${file.path}: module state`);
      }
      return found;
    });
    expect(wrong).toEqual([]);
  });

  it('lists every guard and tool that has a file', () => {
    const guards = sources.filter(({ path }) => path.startsWith('src/guards/')).flatMap(({ text }) => [...text.matchAll(/^export const (\w+): Guard\b/gm)].map((match) => match[1]!));
    const list = readFileSync(join(root, 'src/guards/index.ts'), 'utf8');
    const listed = list.slice(list.indexOf('GUARDS'));
    expect(guards.length).toBeGreaterThan(3);
    expect(guards.filter((name) => !new RegExp(`\\b${name}\\b`).test(listed))).toEqual([]);
  });
});
