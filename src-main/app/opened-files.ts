/** CSV files the system opens with this app: at its start, by a second start, by a double click on a Mac. */
import { app } from 'electron';
import * as v from 'valibot';
import type { OpenedFile } from '../../src-shared/ipc/calls-app.ts';
import { csvOf, readOpened } from './opened-file.ts';

/**
 * What a second start passes to the first one. Not its arguments: Chromium puts them in another order and adds switches
 * of its own.
 */
const startSchema = v.fallback(v.object({ file: v.nullable(v.string()) }), { file: null });
type Start = v.InferOutput<typeof startSchema>;

export const startedWith = (): Start => ({ file: csvOf(process.argv, process.cwd()) });

export interface OpenedFiles {
  /** The page listens: what waited goes to it, and whatever comes from now on. */
  ready(): void;
}

/**
 * Called before the app is ready: a Mac tells of the file that started it before that. `again`: started a second time,
 * without a file.
 */
export function watchOpenedFiles(
  tell: (file: OpenedFile) => void,
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
    tell(await readOpened(path));
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
