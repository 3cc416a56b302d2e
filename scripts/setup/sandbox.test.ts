import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxFault, sandboxWorks, type SandboxSystem } from './sandbox.mjs';

/** A clone with Electron's binary, and one without. */
let withElectron = '';
let without = '';
let helper = '';
beforeAll(() => {
  without = mkdtempSync(join(tmpdir(), 'ballast-sandbox-'));
  withElectron = join(without, 'it’s a clone');
  const electron = join(withElectron, 'node_modules', 'electron');
  mkdirSync(join(electron, 'dist'), { recursive: true });
  writeFileSync(join(electron, 'path.txt'), 'electron');
  writeFileSync(join(electron, 'dist', 'electron'), '');
  helper = join(electron, 'dist', 'chrome-sandbox');
});
afterAll(() => rmSync(without, { recursive: true, force: true }));

const SUID_FILE = 0o104755;
const system = (more: Partial<SandboxSystem> = {}): SandboxSystem => ({
  platform: 'linux',
  uid: 1000,
  namespaces: () => false,
  stat: () => ({ uid: 1000, mode: 0o100755 }),
  ...more,
});

describe('Electron’s sandbox', () => {
  it('works by a namespace, or by a setuid helper of root', () => {
    expect(sandboxWorks(withElectron, system({ namespaces: () => true }))).toBe(true);
    const asked: string[] = [];
    const stat = (path: string) => {
      asked.push(path);
      return { uid: 0, mode: SUID_FILE };
    };
    expect(sandboxWorks(withElectron, system({ stat }))).toBe(true);
    expect(asked).toEqual([helper]);
    expect(sandboxFault(withElectron, system({ stat }))).toBeNull();
  });

  it.each([
    ['the helper does not belong to root', { uid: 1000, mode: SUID_FILE }],
    ['the helper belongs to root but is not setuid', { uid: 0, mode: 0o100755 }],
    ['there is no helper', null],
  ])('is reported as missing, with the commands that fix it, when %s', (_, file) => {
    const on = system({ stat: () => file });
    expect(sandboxWorks(withElectron, on)).toBe(false);
    const fault = sandboxFault(withElectron, on);
    expect(fault?.message).toContain('sandbox');
    expect(fault?.advice).toContain(`sudo chown root:root '${helper}'\n  sudo chmod 4755 '${helper}'`);
    expect(fault?.advice).toContain('kernel.apparmor_restrict_unprivileged_userns=0');
  });

  it('is not available to root, where the app starts without it and prints that', () => {
    const root = system({ uid: 0, namespaces: () => true });
    expect(sandboxWorks(withElectron, root)).toBe(false);
    expect(sandboxFault(withElectron, root)).toBeNull();
  });

  it('is not checked on other systems', () => {
    for (const platform of ['darwin', 'win32'] as const) {
      expect(sandboxWorks(withElectron, system({ platform, uid: -1 }))).toBe(true);
      expect(sandboxFault(withElectron, system({ platform, uid: -1 }))).toBeNull();
    }
  });

  it('is that of Debian’s Chromium for the stand-in, which always starts', () => {
    const asked: string[] = [];
    const stat = (path: string) => {
      asked.push(path);
      return null;
    };
    expect(sandboxWorks(without, system({ stat }))).toBe(false);
    expect(asked).toEqual(['/usr/lib/chromium/chrome-sandbox']);
    expect(sandboxFault(without, system())).toBeNull();
  });
});
