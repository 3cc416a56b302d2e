/** Builds the dependencies of an open connection: client, archive, archive sync and order reconciliation. */
import type { Events } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSettings, ConnectionSummary, SecretInput } from '../../src-shared/ipc/connections.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { EventName } from '../../src-shared/ipc/names.ts';
import type { MonotonicClock, Timers } from '../../src-shared/time.ts';
import { openArchive } from '../archive/archive.ts';
import { createClient, type ClientOptions, type ExchangeClient } from '../exchange/client.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';
import { secretForms } from '../exchange/secret-forms.ts';
import { TIMEOUTS } from '../exchange/transport.ts';
import { Reconciler } from '../orders/reconcile/reconciler.ts';
import type { Journal } from '../orders/journal/journal.ts';
import { ArchiveSync } from '../sync/archive-sync.ts';
import type { ConnectionPorts } from './open-connection.ts';
import { removeOtherPractices } from './practice-files.ts';

/** Pause between pages of a backfill on a live exchange, whose rate limits are not documented. */
const LIVE_PAGE_DELAY_MS = 100;

export interface DepsPorts {
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly journal: Journal;
  readonly push: <K extends EventName>(name: K, value: Events[K]) => void;
  readonly intentChanged: (record: Events['intent']) => void;
  /** Masks these texts in the log until the returned function is called. */
  readonly redact: (secrets: readonly string[]) => () => void;
  /** Returns the absolute path of the connection's archive. */
  readonly archiveFile: (summary: ConnectionSummary) => string;
  readonly proven: (id: string) => void;
  readonly accountOf: (summary: ConnectionSummary) => AccountIdentity;
  readonly connectionIds: () => readonly string[];
  /** Called when the open archive turns out to belong to another account. */
  readonly otherAccount: (file: string) => void;
  /** Returns the rate limit of the exchange at a base URL, shared by all callers. */
  readonly limitOf: (baseUrl: string) => RateLimit;
  readonly notice: (message: string, next: string) => void;
}

/** Creates a client from settings. Its secret is masked in the log until it is closed. */
export function clientOf(
  { baseUrl, apiKey, signing, refusalCodes }: ConnectionSettings,
  secret: SecretInput | null,
  {
    clock,
    redact,
    limitOf,
    onDrift,
  }: Pick<DepsPorts, 'clock' | 'redact' | 'limitOf'> & Pick<ClientOptions, 'onDrift'>,
): ExchangeClient {
  const texts = [secret?.secret ?? '', ...Object.values(secret?.headers ?? {})];
  const unmask = redact(texts.flatMap(secretForms));
  const client = createClient({
    baseUrl,
    credentials: { key: apiKey, secret: secret?.secret ?? '', headers: secret?.headers ?? {} },
    signing,
    refusalCodes,
    clock,
    limit: limitOf(baseUrl),
    ...(onDrift === undefined ? {} : { onDrift }),
  });
  return {
    ...client,
    async close(because) {
      await client.close(because);
      unmask();
    },
  };
}

export function connectionDeps(ports: DepsPorts): ConnectionPorts {
  const { clock, timers, journal, push } = ports;
  return {
    client: ({ settings }, secret, onDrift) => clientOf(settings, secret, { ...ports, onDrift }),
    otherAccount: (summary) => ports.otherAccount(ports.archiveFile(summary)),
    limitOf: ports.limitOf,
    accountOf: ports.accountOf,
    follow({ id, kind }, account) {
      if (journal.follow({ id, kind, account }, (one) => ports.connectionIds().includes(one)))
        push('journal', { connectionId: id });
    },
    pauseChanged: (connectionId, until) => push('pause', { connectionId, until }),
    archive: (summary) => {
      const file = ports.archiveFile(summary);
      if (summary.kind === 'practice') removeOtherPractices(file);
      // A practice exchange is identified by its file's name.
      const account = summary.kind === 'practice' ? null : ports.accountOf(summary);
      return openArchive({ file, connectionId: summary.id, account, clock });
    },
    archiveSync: (deps, { id, kind, settings }) =>
      new ArchiveSync({
        ...deps,
        connectionId: id,
        clock,
        timers,
        onStatus: (status) => push('sync', status),
        restMs: kind === 'practice' ? 0 : LIVE_PAGE_DELAY_MS,
        ...(settings.pageSize === undefined ? {} : { pageSize: settings.pageSize }),
      }),
    reconciler: (deps, { id }) =>
      new Reconciler({
        ...deps,
        connectionId: id,
        journal,
        clock,
        timers,
        sendTimeoutMs: TIMEOUTS.order,
        changed: ports.intentChanged,
        unwritten: () =>
          ports.notice(
            'A check of an unknown outcome could not be saved to the journal.',
            'Free up disk space. Ballast checks again automatically.',
          ),
      }),
    clock,
    timers,
    feedChanged: (connectionId, name, feeds) => push('feed', { connectionId, name, feed: feeds.get(name) }),
    clockChanged: (connectionId, offsetMs) => push('clock', { connectionId, offsetMs }),
    driftChanged: (drift) => push('drift', drift),
    proven: ports.proven,
    notice: ports.notice,
  };
}
