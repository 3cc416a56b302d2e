/**
 * `window.ballast`, made of the contract's names alone: one function a call, one subscription an event. Nothing
 * generic passes (no channel name, no event object), so the page can ask for what the contract lists and no more.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { CALL_NAMES, callChannel, EVENT_NAMES, eventChannel } from '../src-shared/ipc/names.ts';

type Listener = (json: unknown) => void;

const calls = Object.fromEntries(
  CALL_NAMES.map((name) => [
    name,
    (input: unknown): Promise<unknown> => ipcRenderer.invoke(callChannel(name), input),
  ]),
);

const on = Object.fromEntries(
  EVENT_NAMES.map((name) => [
    name,
    (listener: Listener) => {
      const channel = eventChannel(name);
      // The event object stays here: it carries the sender.
      const receive = (_event: unknown, json: unknown): void => listener(json);
      ipcRenderer.on(channel, receive);
      return (): void => {
        ipcRenderer.off(channel, receive);
      };
    },
  ]),
);

contextBridge.exposeInMainWorld('ballast', { ...calls, on });
