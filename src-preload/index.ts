/**
 * Exposes `window.ballast`, built from the channel names alone: one function per call, one subscription per event.
 * No channel name or event object passes, so the page can use the listed calls only.
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
