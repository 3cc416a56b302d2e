/**
 * Creates the alerts for the session: its open connection, the accounts read beside it, the display time zone and logs
 * in the profile.
 */
import type { Settings } from '../../src-shared/ipc/settings.ts';
import { withoutAmounts } from '../../src-shared/domain/display/privacy-mask.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import { PRACTICE_ID } from '../session/stored.ts';
import { timeZoneOf } from '../session/settings.ts';
import { removeOtherPractices } from '../session/practice-files.ts';
import { MAX_RECORDS, openAlertFile } from './alert-file.ts';
import { type AlertPorts, Alerts } from './alerts.ts';

interface SessionAlertPorts extends Pick<
  AlertPorts,
  'push' | 'desktop' | 'message' | 'worst' | 'notice' | 'clock' | 'timers' | 'newId'
> {
  readonly session: Session<LiveConnection>;
  readonly portfolio: Pick<Portfolio, 'readers'>;
  readonly journal: Journal;
  readonly settings: () => Settings;
  /** Returns the absolute path of a connection's alert log. */
  readonly path: (connectionId: string) => string;
}

export function alertsForSession({
  session,
  portfolio,
  journal,
  settings,
  path,
  ...ports
}: SessionAlertPorts): Alerts {
  const startedAt = ports.clock.now();
  return new Alerts({
    ...ports,
    // With amounts hidden, desktop notifications hide them too: the screen may be shared.
    desktop: ({ title, body, ...note }) =>
      ports.desktop(
        settings().privacy
          ? { ...note, title: withoutAmounts(title), body: withoutAmounts(body) }
          : { ...note, title, body },
      ),
    watched: () => [session.current(), ...portfolio.readers()].filter((one) => one !== null),
    opened: () => session.opened(),
    summary: (id) => session.summary(id),
    async file({ id }) {
      if (id === PRACTICE_ID) removeOtherPractices(path(id));
      return openAlertFile(path(id), MAX_RECORDS, startedAt);
    },
    intents: (id) => journal.list(id),
    settings: () => settings().alerts,
    timeZone: () => timeZoneOf(settings()),
  });
}
