import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npmScript } from './node.mjs';
import { SetupError } from './messages.mjs';

let folder = '';
const at = (...parts: string[]): string => join(folder, ...parts);
function write(...parts: string[]): string {
  const path = at(...parts);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  return path;
}
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ballast-npm-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('npm’s script', () => {
  it('is the one npm names, unless another program set it', () => {
    const execPath = write('bin', 'node');
    const beside = write('bin', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    const named = at('own', 'npm-cli.js');
    expect(npmScript({ execPath, env: { npm_execpath: named } })).toBe(named);
    expect(npmScript({ execPath, env: { npm_execpath: at('yarn.js') } })).toBe(beside);
  });

  it('is beside Node on Windows and other systems', () => {
    const execPath = write('bin', 'node');
    const below = write('lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
    expect(npmScript({ execPath, env: {} })).toBe(below);
  });

  it.skipIf(process.platform === 'win32')('is the target of the PATH’s link, never a shell program', () => {
    const execPath = write('bin', 'node');
    const script = write('elsewhere', 'npm-cli.js');
    write('windows', 'npm');
    mkdirSync(at('links'));
    symlinkSync(script, at('links', 'npm'));
    const PATH = [at('windows'), at('links')].join(delimiter);
    expect(npmScript({ execPath, env: { PATH } })).toBe(script);
    expect(() => npmScript({ execPath, env: { PATH: at('windows') } })).toThrow(SetupError);
  });
});
