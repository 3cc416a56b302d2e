// Dialogs. Tests replace these functions; a person gets a small window of the stand-in's own; where neither is
// there (headless, not scripted) a question can't be answered and says so.
import { carriedModule } from './carried.mjs';
import { runtime } from './runtime.mjs';
import { askPerson } from './dialog-window.mjs';

// The parent window is optional and comes first.
const optionsOf = (args) =>
  args.findLast((arg) => arg !== undefined && arg !== null && typeof arg === 'object') ?? {};

function ask(name, question) {
  if (runtime.headless) {
    throw new Error(
      `electron-standin: dialog.${name} has no one to ask without a display; script it in the test`,
    );
  }
  return askPerson(question);
}

export const dialog = carriedModule('dialog', {
  async showSaveDialog(...args) {
    const { title = 'Save', defaultPath = '', buttonLabel = 'Save' } = optionsOf(args);
    const { button, text } = await ask('showSaveDialog', {
      title,
      input: defaultPath,
      buttons: ['Cancel', buttonLabel],
    });
    return button === 1 && text !== ''
      ? { canceled: false, filePath: text }
      : { canceled: true, filePath: '' };
  },
  async showOpenDialog(...args) {
    const { title = 'Open', defaultPath = '', buttonLabel = 'Open' } = optionsOf(args);
    const { button, text } = await ask('showOpenDialog', {
      title,
      input: defaultPath,
      buttons: ['Cancel', buttonLabel],
    });
    return button === 1 && text !== ''
      ? { canceled: false, filePaths: [text] }
      : { canceled: true, filePaths: [] };
  },
  async showMessageBox(...args) {
    const {
      title = '',
      message = '',
      detail = '',
      buttons = ['OK'],
      cancelId,
      checkboxChecked = false,
    } = optionsOf(args);
    const answer = await ask('showMessageBox', {
      title,
      message,
      detail,
      buttons: buttons.length > 0 ? buttons : ['OK'],
    });
    const closed =
      cancelId ??
      Math.max(
        0,
        buttons.findIndex((label) => /^(cancel|no)$/i.test(label)),
      );
    return { response: answer.button ?? closed, checkboxChecked };
  },
  /** Always on stderr, as Electron does before ready; under a display also in a window. */
  showErrorBox(title, content) {
    process.stderr.write(`${title}\n${content}\n`);
    if (!runtime.headless && runtime.ready)
      void askPerson({ title, message: title, detail: content, buttons: ['OK'] });
  },
});
