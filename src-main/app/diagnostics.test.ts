import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { SessionState } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Failure } from '../../src-shared/ipc/failures.ts';
import { EMPTY_FEED, type Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { diagnosticsText, type DiagnosticSources } from './diagnostics.ts';
import { createLog } from './log.ts';
import { connectionSummary } from '../../tests/session/connection-settings.ts';

const SECRET = 'canary"secret\\0123456789';
const KEY = 'canary"key\\ABCDEF';
const HOME = '/home/canary-person';
const NOW = 1_795_252_444_000;

async function withLog<T>(use: (log: ReturnType<typeof createLog>) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'diagnostics-'));
  try {
    return await use(createLog(join(folder, 'ballast.log'), { now: () => 0 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FEEDS: Feeds = {
  connectionId: 'live-1',
  account: {
    ...EMPTY_FEED,
    failure: { kind: 'server', message: 'canary', next: 'canary', status: 503 },
    failingSince: NOW - 5_000,
  },
  openOrders: EMPTY_FEED,
  history: EMPTY_FEED,
  contracts: EMPTY_FEED,
  clockOffsetMs: 1_500,
  pausedUntil: null,
  drift: [{ record: 'trade', field: 'liquidity', value: 'BOTH' }],
};

const FAILURE: Failure = { kind: 'file', message: 'canary', next: 'canary' };
const sources = (more: Partial<DiagnosticSources>): DiagnosticSources => ({
  session: {
    state: () => SESSION,
    ids: () => ['live-1'],
    current: () => null,
  },
  settings: DEFAULT_SETTINGS,
  journal: { list: () => [], damaged: 0 },
  log: { tail: () => [], mask: (text) => text },
  clock: { now: () => NOW },
  ...more,
});
const SESSION: SessionState = {
  connections: [
    connectionSummary('live-1', {
      name: 'canary name',
      apiKey: KEY,
      signing: {
        ...SIGNING_PRESETS.prehash.profile,
        headers: [{ name: 'X-TAG', value: 'canary header', secret: false }],
      },
      pageUrl: 'https://meridian.example/canary',
    }),
  ],
  activeId: 'live-1',
  account: 'https://exchange.example key',
  locked: false,
  unknownElsewhere: [],
  neverUnlocked: false,
  secretUse: 'in-use',
  keychain: { state: 'available', message: '' },
  app: { version: '0.1.0', runtime: 'stand-in', platform: 'linux', sandboxed: true },
};

describe('the diagnostics bundle', () => {
  it('has no key, secret, header value, name or home, wherever they stand', async () => {
    const text = await withLog((log) => {
      // Written before the secret was known, as during a start.
      log.write('early', { why: `signed with ${SECRET} by ${KEY} in ${HOME}/.config` });
      log.redact([SECRET]);
      log.write('late', { why: `signed with ${SECRET} by ${KEY}` });
      return diagnosticsText(sources({ log }), HOME);
    });
    expect(text).not.toContain('canary');
    expect(text).toContain('[redacted] by [key] in ~/.config');
    expect(text).toContain('X-TAG');
    expect(text).toContain('https://api.meridian.example');
  });

  it('has no amount of the settings: neither a limit on the notional nor a typed rate', async () => {
    const settings = {
      ...DEFAULT_SETTINGS,
      limits: { ...DEFAULT_SETTINGS.limits, notional: '31337.42' },
      portfolio: { unit: 'USDT', rates: { BTC: { rate: '27182.81', at: NOW } } },
    };
    const text = await diagnosticsText(sources({ settings }));
    expect(text).not.toMatch(/31337|27182/);
    expect(JSON.parse(text)).toMatchObject({ settings: { limits: { notional: 'set' } } });
  });

  it('shows the form of a figure that cannot be read, not the figure', async () => {
    const values = [
      ['"31,337.42"', '"#,#.#"'],
      ['-31337', '-#'],
      ['TYPE2', 'TYPE2'],
      ['9', '9'],
      [null, null],
    ] as const;
    const drift = values.map(([value]) => ({ record: 'asset', field: 'balance', value }));
    const snapshot = (): Feeds => ({ ...FEEDS, drift });
    const open = { snapshot, history: Promise.resolve(failed(FAILURE)) };
    const session = { ...sources({}).session, current: () => open };
    const bundle = JSON.parse(await diagnosticsText(sources({ session }))) as { schemaDrift: unknown };
    expect(bundle.schemaDrift).toMatchObject(values.map(([, value]) => ({ value })));
  });

  it('has no home folder of Windows either', async () => {
    const home = 'C:\\Users\\canary';
    const text = await withLog((log) => {
      log.write('archive', { path: `${home}\\AppData` });
      return diagnosticsText(sources({ log }), home);
    });
    expect(text).not.toContain('canary\\');
    expect(text).toContain('"~\\\\AppData"');
  });

  it('lists drift, journal counts by state, the archive and the state of reading', async () => {
    const unusable = () => Promise.resolve(failed(FAILURE));
    const archive = {
      ...{ state: unusable, unreadableTrades: unusable, orderState: unusable },
      ...{ orderGaps: unusable, figures: unusable },
    };
    const open = { snapshot: () => FEEDS, history: Promise.resolve(done({ archive })) };
    const text = await diagnosticsText(
      sources({
        session: { ...sources({}).session, current: () => open },
        journal: { list: () => [{ state: 'unknown' }, { state: 'accepted' }] as IntentRecord[], damaged: 2 },
      }),
    );
    expect(text).not.toContain('canary');
    expect(JSON.parse(text)).toMatchObject({
      format: 'ballast-diagnostics',
      madeAt: new Date(NOW).toISOString(),
      app: { version: '0.1.0' },
      journal: { damagedLines: 2, byConnection: { 'live-1': { unknown: 1, accepted: 1 } } },
      archive: { failure: 'file' },
      reading: {
        account: { ageMs: null, failingForMs: 5_000, failure: { kind: 'server', code: null, status: 503 } },
        clockOffsetMs: 1_500,
      },
      schemaDrift: [{ record: 'trade', field: 'liquidity', value: 'BOTH' }],
    });
  });

  it('lists no reading and no archive where no connection is open', async () => {
    const bundle: unknown = JSON.parse(await diagnosticsText(sources({})));
    expect(bundle).toMatchObject({ archive: null, reading: null, schemaDrift: [] });
  });
});
