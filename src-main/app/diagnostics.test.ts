import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { diagnosticsText, type DiagnosticFacts } from './diagnostics.ts';
import { createLog } from './log.ts';

const SECRET = 'canary"secret\\0123456789';
const KEY = 'canary"key\\ABCDEF';
const HOME = '/home/canary-person';

function withLog<T>(use: (log: ReturnType<typeof createLog>) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'diagnostics-'));
  try {
    return use(createLog(join(folder, 'ballast.log'), { now: () => 0 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const facts = (more: Partial<DiagnosticFacts>): DiagnosticFacts => ({
  now: 1_795_252_444_000,
  session: {
    connections: [
      {
        id: 'live-1',
        kind: 'live',
        secret: 'stored',
        verified: true,
        createdAt: 0,
        settings: {
          name: 'canary name',
          baseUrl: 'https://api.meridian.example',
          apiKey: KEY,
          signing: {
            ...SIGNING_PRESETS.prehash.profile,
            headers: [{ name: 'X-TAG', value: 'canary header', secret: false }],
          },
          pageUrl: 'https://meridian.example/canary',
          triggerTypes: [],
          refusalCodes: [],
          reverseQuantity: 'unset',
          convention: 'flat',
          readOnly: false,
        },
      },
    ],
    activeId: 'live-1',
    locked: false,
    neverUnlocked: false,
    secretUse: 'in-use',
    keychain: { state: 'available', message: '' },
    app: { version: '0.1.0', runtime: 'stand-in', platform: 'linux', sandboxed: true },
  },
  versions: { node: '24' },
  system: 'linux x64',
  settings: DEFAULT_SETTINGS,
  feeds: null,
  coverage: null,
  journal: {},
  damagedLines: 0,
  log: [],
  mask: (text) => text,
  home: HOME,
  ...more,
});

describe('the diagnostics bundle', () => {
  it('has no key, secret, header value, name or home, wherever they stand', () => {
    const text = withLog((log) => {
      // Written before the secret was known, as during a start.
      log.write('early', { why: `signed with ${SECRET} by ${KEY} in ${HOME}/.config` });
      log.redact([SECRET]);
      log.write('late', { why: `signed with ${SECRET} by ${KEY}` });
      return diagnosticsText(facts({ log: log.tail(100), mask: (one) => log.mask(one) }));
    });
    expect(text).not.toContain('canary');
    expect(text).toContain('[redacted] by [key] in ~/.config');
    expect(text).toContain('X-TAG');
    expect(text).toContain('https://api.meridian.example');
  });

  it('lists drift, journal counts by state, the archive and the state of reading', () => {
    const bundle = JSON.parse(
      diagnosticsText(
        facts({
          coverage: { ok: false, failure: { kind: 'file', message: 'm', next: 'n' } },
          damagedLines: 2,
        }),
      ),
    ) as Record<string, unknown>;
    expect(bundle).toMatchObject({
      format: 'ballast-diagnostics',
      app: { version: '0.1.0' },
      journal: { damagedLines: 2, byConnection: {} },
      archive: { failure: 'file' },
      reading: null,
      schemaDrift: [],
    });
  });
});
