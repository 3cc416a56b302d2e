// Dialogs: zenity's (GTK, as Electron's are on Linux) where installed, the stand-in's own small window otherwise.
// Tests without a display replace these functions; calling a dialog there throws.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { app } from './app.mjs';
import { supportedModule, unsupported } from './supported.mjs';
import { askInWindow } from './dialog-window.mjs';
import { available } from './programs.mjs';
import { assertReady, reportFault, runtime } from './runtime.mjs';
import { askByZenity } from './zenity.mjs';

// The parent window is optional and comes first.
const optionsOf = (args) =>
  args.findLast((arg) => arg !== undefined && arg !== null && typeof arg === 'object') ?? {};

function ask(name, question) {
  assertReady(new Error('dialog module can only be used after app is ready'));
  if (runtime.headless) {
    throw new Error(`electron-standin: dialog.${name} needs a display; replace it in the test`);
  }
  const own = process.env.BALLAST_STANDIN_DIALOGS === 'window' || !available('zenity');
  return own ? askInWindow(question) : askByZenity(question);
}

const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Describes what is wrong with a typed path; undefined when nothing is. */
function faultOf(path, { saving, folder }) {
  if (!isAbsolute(path)) return `“${path}” names no folder. Type the whole path, beginning with “/”.`;
  if (folder) return isFolder(path) ? undefined : `There is no folder “${path}”. Choose one that is there.`;
  if (!isFolder(dirname(path))) return `There is no folder “${dirname(path)}”. Choose one that is there.`;
  if (isFolder(path)) return `“${path}” is a folder. Add the name of the file.`;
  if (!saving && statSync(path, { throwIfNoEntry: false }) === undefined)
    return `There is no file “${path}”. Choose one that is there.`;
  return undefined;
}

/** Resolves a default path as Electron does: from Downloads, or home without it. The `/` after a folder opens it. */
function startOf(path) {
  const downloads = app.getPath('downloads');
  const start = isAbsolute(path) ? path : join(isFolder(downloads) ? downloads : homedir(), path);
  return isFolder(start) ? join(start, '/') : start;
}

const CARRIED = new Set([
  ...['openFile', 'openDirectory', 'showOverwriteConfirmation', 'createDirectory', 'dontAddToRecent'],
]);
function checkProperties(properties) {
  for (const name of properties) if (!CARRIED.has(name)) throw unsupported(`the dialog property '${name}'`);
}

async function askForPath(name, options, { saving, button }) {
  const { title = button, defaultPath = '', buttonLabel = button, filters = [], properties = [] } = options;
  checkProperties(properties);
  const folder = properties.includes('openDirectory');
  const path = await ask(name, {
    kind: 'file',
    ...{ title, filters, saving, folder },
    buttons: ['Cancel', buttonLabel],
    path: startOf(defaultPath),
    confirmOverwrite: properties.includes('showOverwriteConfirmation'),
    faultOf: (text) => faultOf(text, { saving, folder }),
  });
  return path === null ? null : resolve(path);
}

/** Electron's choice where the app made none: Cancel or No, else the first that is not the default. */
function cancelIdOf({ cancelId, defaultId }, buttons) {
  const named = buttons.findIndex((label) => /^(cancel|no)$/i.test(label));
  return cancelId ?? (named >= 0 ? named : defaultId === 0 && buttons.length > 1 ? 1 : 0);
}

export const dialog = supportedModule('dialog', {
  async showSaveDialog(...args) {
    const chosen = await askForPath('showSaveDialog', optionsOf(args), { saving: true, button: 'Save' });
    return { canceled: chosen === null, filePath: chosen ?? '' };
  },
  async showOpenDialog(...args) {
    const chosen = await askForPath('showOpenDialog', optionsOf(args), { saving: false, button: 'Open' });
    return { canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] };
  },
  async showMessageBox(...args) {
    const options = optionsOf(args);
    const { type = 'none', title = '', message = '', detail = '', checkboxChecked = false } = options;
    if (options.checkboxLabel) throw unsupported('the dialog option checkboxLabel');
    const buttons = options.buttons?.length > 0 ? options.buttons : ['OK'];
    const cancelId = cancelIdOf(options, buttons);
    const { defaultId = buttons.length === 1 ? 0 : -1 } = options;
    const question = { kind: 'message', type, title, message, detail, buttons, cancelId, defaultId };
    return { response: await ask('showMessageBox', question), checkboxChecked };
  },
  /** Always on stderr, as Electron does before ready; under a display also in a window. */
  showErrorBox(title, content) {
    process.stderr.write(`${title}\n${content}\n`);
    if (runtime.headless || !runtime.ready) return;
    const box = { kind: 'message', type: 'error', title: 'Error', message: title, detail: content };
    void ask('showErrorBox', { ...box, buttons: ['OK'], cancelId: 0, defaultId: 0 }).catch(reportFault);
  },
});
