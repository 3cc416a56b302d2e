/**
 * Serves the contract. Sender and input are checked here, so no handler can forget; a handler's exception becomes
 * a plain failure without the error's text, which may carry what must not travel.
 */
import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import * as v from 'valibot';
import { brokenCall } from '../../src-shared/ipc/broken-call.ts';
import { CALLS, type Events, type Handlers } from '../../src-shared/ipc/calls.ts';
import { failed, type Result } from '../../src-shared/ipc/failures.ts';
import {
  CALL_NAMES,
  callChannel,
  eventChannel,
  type CallName,
  type EventName,
} from '../../src-shared/ipc/names.ts';

export interface BridgePorts {
  /** The one window's page; null while there is none. */
  readonly page: () => WebContents | null;
  /** Whether a frame's address is the app's own. */
  readonly isOwnAddress: (url: string) => boolean;
  /** The page has asked for the first time: it listens before it asks, so nothing pushed from now on is missed. */
  readonly listening: () => void;
  /** Notes a defect: the call's name and the error's class, never its content. */
  readonly defect: (call: CallName, error: unknown) => void;
}

/** Answers the contract's calls with `handlers`; returns the function that pushes an event to the window. */
export function serveBridge(
  handlers: Handlers,
  ports: BridgePorts,
): <K extends EventName>(name: K, value: Events[K]) => void {
  let listens = false;
  for (const name of CALL_NAMES)
    ipcMain.handle(callChannel(name), (event, input: unknown) => answer(name, event, input));

  async function answer(name: CallName, event: IpcMainInvokeEvent, input: unknown): Promise<Result<unknown>> {
    const frame = event.senderFrame;
    const trusted =
      event.sender === ports.page() &&
      frame !== null &&
      frame.parent === null &&
      ports.isOwnAddress(frame.url);
    if (!trusted) return failed({ kind: 'denied', message: 'This page may not ask.', next: 'Close it.' });
    if (!listens) {
      listens = true;
      ports.listening();
    }
    const parsed = v.safeParse(CALLS[name].input, input);
    if (!parsed.success) {
      const issue = parsed.issues[0];
      const field = v.getDotPath(issue);
      return failed({
        kind: 'denied',
        message: issue.message,
        next: 'Correct the field and try again.',
        ...(field === null ? {} : { field }),
      });
    }
    const handler = handlers[name] as (input: unknown) => Promise<Result<unknown>>;
    try {
      return await handler(parsed.output);
    } catch (error) {
      ports.defect(name, error);
      return failed(brokenCall(name, 'Nothing was sent. The log names the place; please report it.'));
    }
  }

  return (name, value) => {
    // What changes before the page asks is in its first answers.
    const page = listens ? ports.page() : null;
    // As text: an object would be cloned twice on its way, which took the window 4 ms of each poll of 200 positions.
    if (page !== null && !page.isDestroyed()) page.send(eventChannel(name), JSON.stringify(value));
  };
}
