/**
 * Builds the diagnostics bundle, a JSON text the user can read before sending it. It contains no key, secret, account
 * amount, order address or home folder.
 */
import { arch, homedir, release } from 'node:os';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { Feed, FeedName, Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { type CoverageStore, readCoverage } from '../sync/coverage.ts';
import type { Log } from './log.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';

export interface DiagnosticSources {
  readonly session: Pick<Session<LiveConnection>, 'state' | 'ids'> & {
    current(): {
      snapshot(): Feeds;
      readonly history: Promise<Result<{ readonly archive: CoverageStore }>>;
    } | null;
  };
  readonly settings: Settings;
  readonly journal: Pick<Journal, 'list' | 'damaged'>;
  readonly log: Pick<Log, 'tail' | 'mask'>;
  readonly clock: Clock;
}
const LOG_LINES = 500;
const FEEDS: readonly FeedName[] = ['account', 'openOrders', 'history', 'contracts'];

export async function diagnosticsText(
  { session, settings, journal, log, clock }: DiagnosticSources,
  home = homedir(),
): Promise<string> {
  const now = clock.now();
  const { app, keychain, locked, connections, activeId } = session.state();
  const { node, electron, chrome, v8 } = process.versions;
  const open = session.current();
  const feeds = open?.snapshot() ?? null;
  const history = await open?.history;
  const coverage = history?.ok === true ? await readCoverage(history.data.archive) : null;
  const bundle = {
    format: 'ballast-diagnostics',
    version: 1,
    madeAt: new Date(now).toISOString(),
    app,
    versions: { node, electron, chrome, v8 },
    system: `${process.platform} ${release()} ${arch()}`,
    keychain,
    locked,
    settings: settingsOf(settings),
    connections: connections.map((one) => ({ ...connectionOf(one), inUse: one.id === activeId })),
    reading:
      feeds === null
        ? null
        : {
            ...Object.fromEntries(FEEDS.map((name) => [name, feedOf(feeds[name], now)])),
            clockOffsetMs: feeds.clockOffsetMs,
          },
    schemaDrift: (feeds?.drift ?? []).map((one) => ({ ...one, value: formOf(one.value) })),
    journal: {
      damagedLines: journal.damaged,
      byConnection: Object.fromEntries(session.ids().map((id) => [id, countsOf(journal.list(id))])),
    },
    archive: coverage === null ? null : coverage.ok ? coverage.data : { failure: coverage.failure.kind },
    log: log.tail(LOG_LINES).map(lineOf),
  };
  let text = log.mask(JSON.stringify(bundle, null, 2));
  for (const { settings: one } of connections)
    if (one.apiKey.length > 3) text = replaced(text, one.apiKey, '[key]');
  if (home.length > 1) text = replaced(text, home, '~');
  return `${text}\n`;
}

/** Replaces a text as it is and as JSON escapes it: a key may have quotes, and a home folder of Windows has backslashes. */
const replaced = (text: string, one: string, by: string): string =>
  text.replaceAll(one, by).replaceAll(JSON.stringify(one).slice(1, -1), by);

/** A name or a code: what an enum may hold. */
const WORD = /^(?:\d{1,9}|[a-z][\w-]*)$/i;
/** Returns a value of schema drift without its digits: one that cannot be read may be a figure of the account. */
const formOf = (value: string | null): string | null =>
  value === null || WORD.test(value) ? value : value.replaceAll(/\d+/g, '#');

/** Returns the settings without the amounts and rates among them: of these only which are set, or how many. */
function settingsOf({ contracts, tradeLog: _, limits, portfolio, ...rest }: Settings): object {
  return {
    ...rest,
    limits: { ...limits, notional: limits.notional === null ? null : 'set' },
    portfolio: { unit: portfolio.unit, ratesTyped: Object.keys(portfolio.rates).length },
    contractsSetManually: Object.keys(contracts).length,
  };
}

/**
 * Returns how a connection requests and signs, without its secret. Headers are listed by name only: values may be
 * secret.
 */
function connectionOf({ id, kind, settings, secret, verified, createdAt }: ConnectionSummary): object {
  const { apiKey: _, name: __, pageUrl: ___, signing, ...rest } = settings;
  return {
    id,
    kind,
    ...rest,
    signing: { ...signing, headers: signing.headers.map((one) => one.name) },
    secret,
    verified,
    createdAt: new Date(createdAt).toISOString(),
  };
}

function feedOf({ age, latencyMs, failure, failingSince }: Feed<unknown>, now: number): object {
  return {
    ageMs: age,
    latencyMs,
    failingForMs: failingSince === null ? null : now - failingSince,
    failure:
      failure === null
        ? null
        : { kind: failure.kind, code: failure.code ?? null, status: failure.status ?? null },
  };
}

/** Parses a log line, so that its text is not escaped twice and masks still match. */
const lineOf = (line: string): unknown => parseJsonOrNull(line) ?? 'a damaged line';

function countsOf(records: readonly IntentRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of records) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
