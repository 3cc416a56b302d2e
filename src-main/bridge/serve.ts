/**
 * Serves the IPC calls. Sender and input are checked here for every handler. An exception becomes a failure without the
 * error's text, which may contain a secret.
 */
import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import * as v from 'valibot';
import { errorCode } from '../../src-files/error-code.ts';
import { brokenCall } from '../../src-shared/ipc/broken-call.ts';
import { CALLS, type Events, type Handlers } from '../../src-shared/ipc/calls.ts';
import { failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import {
  CALL_NAMES,
  callChannel,
  eventChannel,
  type CallName,
  type EventName,
} from '../../src-shared/ipc/names.ts';

export interface BridgePorts {
  /** Returns the window's page, or null. */
  readonly page: () => WebContents | null;
  /** Reports whether a frame's address is the app's own. */
  readonly isOwnAddress: (url: string) => boolean;
  /** Called at the page's first call: it subscribes before, so later events reach it. */
  readonly listening: () => void;
  /** Logs a defect by call name and error class, never with content. */
  readonly defect: (call: CallName, error: unknown) => void;
}

/** Codes of a disk that is full, or that may not be used. */
const DISK_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']);
/** Codes of a system that opens no more files. */
const OPEN_FILES_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

/** Returns the failure of a file that could not be used, which is no defect; null for another error. */
function fileFailure(error: unknown): Failure | null {
  const code = errorCode(error);
  const next = DISK_CODES.has(code)
    ? 'Free up disk space, or allow writing to the profile folder, then try again.'
    : OPEN_FILES_CODES.has(code)
      ? 'Close other programs, then try again.'
      : null;
  if (next === null) return null;
  return { kind: 'file', message: `A file of Ballast could not be read or written (${code}).`, next };
}

/** Most values in one input; a batch of 1,000 rows has 20,000. */
const MAX_VALUES = 100_000;

/**
 * Reports whether an input has at most so many values, in plain objects and lists only: its schema reads a list to the
 * end before it checks the length, which can be 4 billion.
 */
function isBounded(input: unknown): boolean {
  let left = MAX_VALUES;
  const open: unknown[] = [input];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (!Array.isArray(one) && Object.getPrototypeOf(one) !== Object.prototype) return false;
    left -= Array.isArray(one) ? one.length : Object.keys(one).length;
    if (left < 0) return false;
    for (const value of Object.values(one)) open.push(value);
  }
  return true;
}

/** Registers `handlers` and returns the function that pushes events to the window. */
export function serveBridge(
  handlers: Handlers,
  ports: BridgePorts,
): <K extends EventName>(name: K, value: Events[K]) => void {
  let listens = false;
  for (const name of CALL_NAMES)
    ipcMain.handle(callChannel(name), (event, input: unknown) => serve(name, event, input));

  async function serve(name: CallName, event: IpcMainInvokeEvent, input: unknown): Promise<Result<unknown>> {
    const frame = event.senderFrame;
    const trusted =
      event.sender === ports.page() &&
      frame !== null &&
      frame.parent === null &&
      ports.isOwnAddress(frame.url);
    if (!trusted)
      return failed({ kind: 'blocked', message: 'This page is not allowed to do this.', next: 'Close it.' });
    if (!listens) {
      listens = true;
      ports.listening();
    }
    if (!isBounded(input))
      return failed({
        kind: 'blocked',
        message: 'The window sent more than a call takes.',
        next: 'Try again with less.',
      });
    // Only the first issue is reported; collecting thousands would take time and memory.
    const parsed = v.safeParse(CALLS[name].input, input, { abortEarly: true });
    if (!parsed.success) {
      const issue = parsed.issues[0];
      const field = v.getDotPath(issue);
      return failed({
        kind: 'blocked',
        message: issue.message,
        next: 'Correct this field and try again.',
        ...(field === null ? {} : { field }),
      });
    }
    const handler = handlers[name] as (input: unknown) => Promise<Result<unknown>>;
    try {
      return await handler(parsed.output);
    } catch (error) {
      ports.defect(name, error);
      const broken = brokenCall(name, 'Nothing was sent. The log has details; please report it.');
      return failed(broken.kind === 'bug' ? (fileFailure(error) ?? broken) : broken);
    }
  }

  return (name, value) => {
    // Earlier changes are part of the page's first replies.
    const page = listens ? ports.page() : null;
    // As JSON text: an object would be cloned twice, which took the window 4 ms per poll of 200 positions.
    if (page !== null && !page.isDestroyed()) page.send(eventChannel(name), JSON.stringify(value));
  };
}
