/** Shows desktop notifications. They are silent: the alert sound is the app's own setting, off by default. */
import type { DesktopOutcome } from '../../src-shared/ipc/alerts.ts';
import type { Timers } from '../../src-shared/time.ts';
import type { DesktopNote } from '../alerts/alerts.ts';

/** The used part of Electron's Notification. Tests inject one that fails or never reports. */
interface Shown {
  on(event: 'show' | 'click' | 'close' | 'failed', listener: () => void): unknown;
  show(): void;
}
export interface NotificationSystem {
  new (options: { readonly title: string; readonly body: string; readonly silent: boolean }): Shown;
  isSupported(): boolean;
}

const MAX_SHOWN = 50;
/** macOS reports only after the user has allowed or declined notifications. */
const REPORTED_WITHIN_MS = 5_000;

/**
 * Electron passes the body on as it is, and desktops on Linux read it as markup: a name from the exchange could be a link.
 * How a desktop undoes an escape differs, so similar marks replace the brackets.
 */
const withoutMarkup = (body: string): string => body.replaceAll('<', '‹').replaceAll('>', '›');

export class DesktopNotifications {
  /** References to shown notifications: a garbage-collected one ignores clicks. */
  readonly #shown = new Set<Shown>();
  readonly #system: NotificationSystem;
  readonly #timers: Timers;

  constructor(system: NotificationSystem, timers: Timers) {
    this.#system = system;
    this.#timers = timers;
  }

  show({ title, body, clicked }: DesktopNote): Promise<DesktopOutcome> {
    if (!this.#system.isSupported()) return Promise.resolve('unsupported');
    return new Promise((resolve) => {
      const notification = new this.#system({ title, body: withoutMarkup(body), silent: true });
      const giveUp = this.#timers.after(REPORTED_WITHIN_MS, () => resolve('unanswered'));
      const settle = (outcome: DesktopOutcome): void => {
        giveUp();
        resolve(outcome);
      };
      const drop = (): void => void this.#shown.delete(notification);
      this.#keep(notification);
      // Registered before `show()`: Linux emits the event during that call.
      notification.on('show', () => settle('shown'));
      notification.on('failed', () => {
        drop();
        settle('rejected');
      });
      notification.on('click', () => clicked());
      notification.on('close', drop);
      try {
        notification.show();
      } catch {
        settle('rejected');
      }
    });
  }

  #keep(notification: Shown): void {
    this.#shown.add(notification);
    for (const oldest of this.#shown) {
      if (this.#shown.size <= MAX_SHOWN) break;
      this.#shown.delete(oldest);
    }
  }
}
