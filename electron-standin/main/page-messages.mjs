// Dispatches the messages of a page to the main process.
import { codec } from '../page/codec.mjs';
import { toElectron } from './address.mjs';
import { PreventableEvent } from './supported.mjs';
import { WebFrameMain } from './frame.mjs';
import { ipcMain } from './ipc-main.mjs';
import { pressAccelerator } from './menu.mjs';

function ipcEvent(contents, { at }) {
  const reply = (channel, ...args) => contents.send(channel, ...args);
  const senderFrame = new WebFrameMain(contents, at);
  return { type: 'frame', sender: contents, senderFrame, processId: 1, frameId: 1, ports: [], reply };
}

/** @param reply sends the result of an `invoke` to the document that called, and to no later one */
export function takeMessage(contents, owner, message, reply) {
  switch (message.kind) {
    case 'invoke':
      ipcMain.answer(message.channel, ipcEvent(contents, message), message.payload, reply);
      return;
    case 'send': {
      const args = codec.unpack(message.payload);
      contents.emit('ipc-message', ipcEvent(contents, message), message.channel, ...args);
      ipcMain.emit(message.channel, ipcEvent(contents, message), ...args);
      return;
    }
    case 'window':
      owner.fromPage(message);
      return;
    case 'key':
      pressAccelerator(message, owner, contents);
      return;
    case 'ask':
      if (message.url !== undefined) denied(contents, message);
      return;
    case 'preload-error':
      process.stderr.write(`electron-standin: the preload failed: ${message.message}\n`);
      contents.emit('preload-error', new PreventableEvent(), message.at, new Error(message.message));
  }
}

/** Handles an attempt that is always denied; the app gets the same event as in Electron. */
function denied(contents, { what, url, frameName }) {
  const address = toElectron(url);
  if (what === 'navigate') {
    const event = new PreventableEvent({ url: address, frame: contents.mainFrame });
    contents.emit('will-navigate', event, address, false, true);
    return;
  }
  const referrer = { url: contents.getURL(), policy: 'default' };
  const details = { url: address, frameName, features: '', disposition: 'new-window', referrer };
  if (contents.judgeOpening(details) === 'deny') return;
  process.stderr.write(`electron-standin does not support new windows made by a page: denied ${address}\n`);
}

/** A console line of the page, as Electron reports it: with the event, and once more as plain arguments. */
export function emitConsole(contents, details) {
  const event = new PreventableEvent({ ...details, frame: contents.mainFrame });
  const level = { debug: 0, info: 1, warning: 2, error: 3 }[details.level];
  contents.emit('console-message', event, level, details.message, details.lineNumber, details.sourceId);
}
