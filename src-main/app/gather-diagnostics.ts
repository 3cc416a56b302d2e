/** Collects the inputs of the diagnostics bundle. */
import { arch, homedir, release } from 'node:os';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { readCoverage } from '../sync/coverage.ts';
import { diagnosticsText } from './diagnostics.ts';
import type { Log } from './log.ts';

interface Gathered {
  readonly session: Session<LiveConnection>;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly log: Log;
  readonly clock: Clock;
}
const LOG_LINES = 500;

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
