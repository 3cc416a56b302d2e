/** Notifications of the desktop. Silent: an alert's sound is the person's own setting, off by default. */
import { Notification } from 'electron';

export interface DesktopNotification {
  readonly title: string;
  readonly body: string;
  readonly clicked: () => void;
}

/** Kept while they are shown: one that is collected as garbage no longer answers a click. */
const shown = new Set<Notification>();
const MOST_KEPT = 50;

/** False where this system has none. */
export function showNotification({ title, body, clicked }: DesktopNotification): boolean {
  if (!Notification.isSupported()) return false;
  const notification = new Notification({ title, body, silent: true });
  shown.add(notification);
  for (const oldest of shown) {
    if (shown.size <= MOST_KEPT) break;
    shown.delete(oldest);
  }
  notification.on('click', () => clicked());
  notification.on('close', () => shown.delete(notification));
  notification.on('failed', () => shown.delete(notification));
  notification.show();
  return true;
}
