/**
 * Opens a page in the user's browser. Only https passes: other schemes can start programs. The address is a connection
 * setting, validated over IPC and again here.
 */
import { shell } from 'electron';

/** Opens the page. Rejects anything but https. */
export async function openPage(url: string): Promise<void> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error('only https pages are opened');
  await shell.openExternal(url);
}
