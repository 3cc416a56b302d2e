/** Receives CSV files the system opens with this app: at start, from a second start, or by macOS's event. */
import { app } from 'electron';
import * as v from 'valibot';
import type { OpenedFile } from '../../src-shared/ipc/calls-app.ts';
import { csvOf, readOpened } from './opened-file.ts';

/** What a second start passes to the first. Arguments are not used: Chromium reorders them and adds switches. */
const startSchema = v.fallback(v.object({ file: v.nullable(v.string()) }), { file: null });
type Start = v.InferOutput<typeof startSchema>;

export const startedWith = (): Start => ({ file: csvOf(process.argv, process.cwd()) });

export interface OpenedFiles {
  /** Delivers pending files to the page, and later ones at once. */
  ready(): void;
}

/**
 * Starts listening; must run before the app is ready, when macOS reports the file it was started with. Calls `show` on
 * a second start without a file.
 */
export function watchOpenedFiles(
  push: (file: OpenedFile) => void,
  show: () => void,
  again: () => void,
): OpenedFiles {
  let waiting: string[] | null = [];
  async function take(path: string | null): Promise<void> {
    if (path === null) return;
    if (waiting !== null) {
      waiting.push(path);
      return;
    }
    show();
    push(await readOpened(path));
  }
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void take(path);
  });
  app.on('second-instance', (_event, _argv, _folder, start) => {
    show();
    const { file } = v.parse(startSchema, start);
    if (file === null) again();
    void take(file);
  });
  void take(startedWith().file);
  return {
    ready() {
      const paths = waiting ?? [];
      waiting = null;
      for (const path of paths) void take(path);
    },
  };
}
