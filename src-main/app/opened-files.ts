/** Receives CSV files the system opens with this app: at start, from a second start, or by macOS's event. */
import { app } from 'electron';
import * as v from 'valibot';
import type { OpenedFile } from '../../src-shared/ipc/calls-app.ts';
import { csvOf, readOpened } from './opened-file.ts';
import { untilReady, type Waiting } from '../until-ready.ts';

/** What a second start passes to the first. Arguments are not used: Chromium reorders them and adds switches. */
const startSchema = v.fallback(v.object({ file: v.nullable(v.string()) }), { file: null });
type Start = v.InferOutput<typeof startSchema>;

export const startedWith = (): Start => ({ file: csvOf(process.argv, process.cwd()) });

/**
 * Starts listening; must run before the app is ready, when macOS reports the file it was started with. Calls `show` on
 * a second start without a file.
 */
export function watchOpenedFiles(
  push: (file: OpenedFile) => void,
  show: () => void,
  again: () => void,
): Pick<Waiting<string>, 'ready'> {
  const opened = untilReady(async (path: string) => {
    show();
    push(await readOpened(path));
  });
  const take = (path: string | null): void => {
    if (path !== null) opened.pass(path);
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take(path);
  });
  app.on('second-instance', (_event, _argv, _folder, start) => {
    show();
    const { file } = v.parse(startSchema, start);
    if (file === null) again();
    take(file);
  });
  take(startedWith().file);
  return opened;
}
