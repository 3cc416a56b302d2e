/** Lets scheduled exports read the session's connections, by clients that can read only. */
import type { ConnectionSummary, SecretInput } from '../../src-shared/ipc/connections.ts';
import { done, failed, type Failure } from '../../src-shared/ipc/failures.ts';
import type { ConnectionServices, LiveConnection } from '../session/live-connection.ts';
import { accountOf, accountText, addressOf } from '../session/account.ts';
import { noSecret } from '../session/failures.ts';
import type { PracticeAccess } from '../practice/exchange.ts';
import type { Session } from '../session/session.ts';
import { practiceSummary } from '../session/stored.ts';
import type { Vault } from '../vault/vault.ts';
import { runExport, type ExportEnd } from './run.ts';
import type { ExportOrigin } from './scheduled-exports.ts';

interface SessionExportPorts {
  readonly session: Session<LiveConnection>;
  readonly vault: Pick<Vault, 'read'>;
  /** Starts the practice exchange, or returns the running one. */
  readonly practice: () => Promise<PracticeAccess>;
  readonly connection: Pick<ConnectionServices, 'client' | 'limitOf' | 'clock' | 'timers'>;
  /** Returns the path of the archive a connection's exports fill. */
  readonly archiveFile: (connectionId: string) => string;
}

/** How long a scheduled export goes on while the exchange fails; it is tried again in an hour. */
const WAIT_MS = 120_000;

/** Returns a connection's name and how its history is exported; null if there is no such connection. */
export function exportOrigin(ports: SessionExportPorts, connectionId: string): ExportOrigin | null {
  const found = ports.session.summary(connectionId);
  if (found === null) return null;
  return {
    account: found.settings.name,
    identity: found.kind === 'practice' ? null : accountText(accountOf(found.settings)),
    async run(task, control) {
      if (found.kind === 'practice') {
        const access = await ports.practice().catch(() => null);
        if (access === null) return failed(NO_PRACTICE);
        const secret = { secret: access.secret, headers: {} };
        return done(await exported(ports, practiceSummary(access), secret, task, control));
      }
      // A keychain that waits for its password must not keep the app from quitting.
      const reading = ports.vault.read(connectionId, addressOf(found.settings));
      const read = await Promise.race([reading, interrupted(control.signal)]);
      if (read === null) return failed(INTERRUPTED);
      const { secret, message } = read;
      if (secret !== null) return done(await exported(ports, found, secret, task, control));
      return noSecret(message);
    },
  };
}

const NO_PRACTICE: Failure = {
  kind: 'file',
  message: 'The practice exchange could not be started.',
  next: 'Free up disk space, then restart Ballast. An existing file was not changed.',
};
const INTERRUPTED: Failure = {
  kind: 'cancelled',
  message: 'The export was cancelled.',
  next: 'An existing file was not changed.',
};
const interrupted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));

function exported(
  { connection, archiveFile }: SessionExportPorts,
  summary: ConnectionSummary,
  secret: SecretInput,
  { query, out }: Parameters<ExportOrigin['run']>[0],
  control: Parameters<ExportOrigin['run']>[1],
): Promise<ExportEnd> {
  const { id, kind, settings } = summary;
  const { clock, timers, limitOf } = connection;
  const file = archiveFile(id);
  const account = kind === 'practice' ? null : accountOf(settings);
  return runExport(
    {
      archive: { file, connectionId: `export-${id}`, account },
      query,
      out,
      profit: settings.profit ?? null,
      allowIncomplete: false,
    },
    {
      client: connection.client(summary, secret, () => undefined),
      clock,
      timers,
      ...control,
      limit: limitOf(settings.baseUrl),
      waitMs: WAIT_MS,
      isLocal: settings.baseUrl.startsWith('http:'),
    },
  );
}
