/**
 * Opens a page in the person's browser. External addresses have started programs in other apps, so only https, set by
 * the person for a connection and checked by the contract, gets through; it is checked again here.
 */
import { shell } from 'electron';

/** Rejects anything but https. */
export async function openPage(url: string): Promise<void> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error('only https pages are opened');
  await shell.openExternal(url);
}
