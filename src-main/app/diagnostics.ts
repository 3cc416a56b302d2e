/**
 * Builds the diagnostics bundle, a JSON text the user can read before sending it. It contains no key, secret, account
 * amount, order address or home folder.
 */
import { arch, homedir, release } from 'node:os';
import type { Coverage } from '../../src-shared/ipc/archive.ts';
import type { SessionState } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { Feed, FeedName, Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { readCoverage } from '../sync/coverage.ts';
import type { Log } from './log.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';

export interface DiagnosticFacts {
  /** Wall clock, ms. */
  readonly now: number;
  readonly session: SessionState;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly system: string;
  readonly settings: Settings;
  /** Feeds of the open connection, or null. */
  readonly feeds: Feeds | null;
  /** Archive coverage of the open connection, or null. */
  readonly coverage: Result<Coverage> | null;
  /** Intents by connection. */
  readonly journal: Readonly<Record<string, readonly IntentRecord[]>>;
  readonly damagedLines: number;
  readonly log: readonly string[];
  /** Masks every secret known in this run. */
  readonly mask: (text: string) => string;
  readonly home: string;
}

interface Gathered {
  readonly session: Session<LiveConnection>;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly log: Log;
  readonly clock: Clock;
}
const LOG_LINES = 500;

/** Collects the facts and returns their text. */
export async function gatherDiagnostics({
  session,
  settings,
  journal,
  log,
  clock,
}: Gathered): Promise<string> {
  const open = session.current();
  const history = await open?.history;
  const { node, electron, chrome, v8 } = process.versions;
  return diagnosticsText({
    now: clock.now(),
    session: session.state(),
    versions: { node, electron, chrome, v8 },
    system: `${process.platform} ${release()} ${arch()}`,
    settings,
    feeds: open?.snapshot() ?? null,
    coverage: history?.ok === true ? await readCoverage(history.data.archive) : null,
    journal: Object.fromEntries(session.ids().map((id) => [id, journal.list(id)])),
    damagedLines: journal.damaged,
    log: log.tail(LOG_LINES),
    mask: (text) => log.mask(text),
    home: homedir(),
  });
}

const FEEDS: readonly FeedName[] = ['account', 'openOrders', 'history', 'contracts'];

export function diagnosticsText(facts: DiagnosticFacts): string {
  const { session, settings, feeds } = facts;
  const { contracts, tradeLog: _, ...own } = settings;
  const bundle = {
    format: 'ballast-diagnostics',
    version: 1,
    madeAt: new Date(facts.now).toISOString(),
    app: session.app,
    versions: facts.versions,
    system: facts.system,
    keychain: session.keychain,
    locked: session.locked,
    settings: { ...own, contractsSetManually: Object.keys(contracts).length },
    connections: session.connections.map((one) => ({
      ...connectionOf(one),
      inUse: one.id === session.activeId,
    })),
    reading:
      feeds === null
        ? null
        : {
            ...Object.fromEntries(FEEDS.map((name) => [name, feedOf(feeds[name], facts.now)])),
            clockOffsetMs: feeds.clockOffsetMs,
          },
    schemaDrift: feeds?.drift ?? [],
    journal: {
      damagedLines: facts.damagedLines,
      byConnection: Object.fromEntries(
        Object.entries(facts.journal).map(([id, records]) => [id, countsOf(records)]),
      ),
    },
    archive:
      facts.coverage === null
        ? null
        : facts.coverage.ok
          ? facts.coverage.data
          : { failure: facts.coverage.failure.kind },
    log: facts.log.map(lineOf),
  };
  let text = facts.mask(JSON.stringify(bundle, null, 2));
  for (const { settings: one } of session.connections)
    for (const key of [one.apiKey, JSON.stringify(one.apiKey).slice(1, -1)])
      if (key.length > 3) text = text.replaceAll(key, '[key]');
  if (facts.home.length > 1) text = text.replaceAll(facts.home, '~');
  return `${text}\n`;
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
