/**
 * Checks FIDELITY.md against the code: it must describe the stand-in's version of every Electron member the app
 * uses.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const table = read('electron-standin/FIDELITY.md');

/** Rows of the tables: their cells. */
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:member|-+) /.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

/** Files of the app that import Electron. */
const sources = ['src-main', 'src-preload'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(ROOT, folder, path))
    .filter((path) => readFileSync(path, 'utf8').includes("from 'electron'")),
);
const LISTENING = new Set(['on', 'once', 'off', 'addListener', 'removeListener']);

const isOfElectron = (symbol: ts.Symbol | undefined): boolean =>
  symbol?.declarations?.[0]?.getSourceFile().fileName.endsWith('/electron/electron.d.ts') === true;

class Members {
  readonly names = new Set<string>();
  readonly #checker: ts.TypeChecker;

  constructor(program: ts.Program) {
    this.#checker = program.getTypeChecker();
    for (const path of sources) this.#visit(program.getSourceFile(path)!);
  }

  readonly #visit = (node: ts.Node): void => {
    const isValue =
      ts.isImportSpecifier(node) && !node.isTypeOnly && node.parent.parent.phaseModifier === undefined;
    if (isValue) {
      const from = node.parent.parent.parent.moduleSpecifier;
      if (ts.isStringLiteral(from) && from.text === 'electron') this.names.add(`electron.${node.name.text}`);
    }
    if (ts.isPropertyAccessExpression(node)) this.#used(node);
    if (ts.isObjectLiteralExpression(node)) this.#given(node);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#passed(node);
    if (ts.isObjectBindingPattern(node)) {
      const type = this.#checker.getTypeAtLocation(node);
      for (const one of node.elements) this.#note(type.getProperty((one.propertyName ?? one.name).getText()));
    }
    ts.forEachChild(node, this.#visit);
  };

  /** Records a member access; `window.on('close', …)` counts as the event. */
  #used(node: ts.PropertyAccessExpression): void {
    const symbol = this.#checker.getSymbolAtLocation(node.name);
    const call = node.parent;
    if (LISTENING.has(node.name.text) && ts.isCallExpression(call)) {
      const [event] = call.arguments;
      const owner = this.#checker.getTypeAtLocation(node.expression).getSymbol()?.name ?? '';
      if (event !== undefined && ts.isStringLiteral(event) && this.#ownerOf(symbol) !== null)
        return void this.names.add(`${owner} '${event.text}'`);
    }
    this.#note(symbol);
  }
  /** Records options, by their expected type. */
  #given(node: ts.ObjectLiteralExpression): void {
    const type = this.#checker.getContextualType(node);
    if (type === undefined) return;
    for (const one of node.properties)
      for (const part of type.isUnion() ? type.types : [type])
        if (one.name !== undefined && ts.isIdentifier(one.name)) this.#note(part.getProperty(one.name.text));
  }
  /** Records the members that a function expects of an Electron object by a type of its own. */
  #passed(call: ts.CallExpression | ts.NewExpression): void {
    for (const argument of call.arguments ?? []) {
      const asked = this.#checker.getContextualType(argument);
      if (asked !== undefined) this.#asked(asked, this.#checker.getTypeAtLocation(argument));
    }
  }
  #asked(asked: ts.Type, given: ts.Type): void {
    if (
      (asked.flags & ts.TypeFlags.Object) === 0 ||
      isOfElectron(asked.symbol) ||
      !isOfElectron(given.symbol)
    )
      return;
    const made = given.getConstructSignatures()[0]?.getReturnType();
    for (const one of asked.getConstructSignatures())
      if (made !== undefined) this.#asked(one.getReturnType(), made);
    for (const member of asked.getProperties()) {
      const symbol = given.getProperty(member.name);
      if (symbol === undefined) continue;
      const type = this.#checker.getTypeOfSymbol(member);
      if (LISTENING.has(member.name)) this.#listened(type, given);
      else this.#note(symbol);
      this.#asked(type, this.#checker.getTypeOfSymbol(symbol));
    }
  }
  /** Records the events of `on(event: 'show' | 'click', …)`, by the type of the first parameter. */
  #listened(type: ts.Type, owner: ts.Type): void {
    for (const { parameters } of type.getCallSignatures()) {
      const events = parameters[0] === undefined ? undefined : this.#checker.getTypeOfSymbol(parameters[0]);
      for (const event of events?.isUnion() === true ? events.types : [events])
        if (event?.isStringLiteral() === true) this.names.add(`${owner.symbol.name} '${event.value}'`);
    }
  }
  #note(symbol: ts.Symbol | undefined): void {
    const owner = this.#ownerOf(symbol);
    if (owner !== null && symbol !== undefined) this.names.add(`${owner}.${symbol.name}`);
  }
  /** The Electron type a member belongs to; null when it is not a member of a named type. */
  #ownerOf(symbol: ts.Symbol | undefined): string | null {
    const declared = symbol?.declarations?.[0];
    if (declared === undefined || !isOfElectron(symbol)) return null;
    const { parent } = declared;
    return ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent)
      ? (parent.name?.text ?? null)
      : null;
  }
}

/** Names that are members, not lines about the process itself. */
const isMember = (name: string): boolean => /^[A-Za-z]+(?:\.[A-Za-z]+| '[a-z-]+')$/.test(name);

it('the table has every member of Electron that the app uses, and no other', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const used = new Members(ts.createProgram(sources, options)).names;
  expect(used.size).toBeGreaterThan(100);
  const listed = new Set(
    rows
      .flatMap(([members = '']) => named(members))
      .filter((name) => isMember(name) && !/^(?:process|node)\./.test(name)),
  );
  expect({
    missing: [...used].filter((name) => !listed.has(name)).toSorted(),
    unused: [...listed].filter((name) => !used.has(name)).toSorted(),
  }).toEqual({ missing: [], unused: [] });
});

it('every test the table names exists', () => {
  const specs = rows.map(([, , , held = '']) => held).filter((held) => held !== '');
  expect(specs.length).toBeGreaterThan(30);
  const missing = specs.filter((held) => {
    const [file = '', ...title] = held.split(': ');
    const path = file.startsWith('e2e/') ? file : `electron-standin/${file}`;
    return !existsSync(join(ROOT, path)) || !read(path).includes(title.join(': '));
  });
  expect(missing).toEqual([]);
});
