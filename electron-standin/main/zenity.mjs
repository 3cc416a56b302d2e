// Questions by zenity: GTK's own file chooser and message box.
import { ask } from './programs.mjs';

const CHOSEN = 0;
const CANCELLED = 1;
const open = new Set();

async function zenity(args) {
  let child;
  const { code, output } = await ask('zenity', args, {
    started: (it) => open.add((child = it)),
  }).finally(() => open.delete(child));
  // Ended with the app: no caller waits for the answer.
  if (code !== CHOSEN && code !== CANCELLED && code !== null) throw new Error(`zenity ended with ${code}`);
  return { chosen: code === CHOSEN, text: output.replace(/\n$/, '') };
}

// An underline marks a letter for Alt.
const plain = (label) => label.replaceAll('_', '__');

const ICONS = { none: 'dialog-information', info: 'dialog-information', question: 'dialog-question' };

/** @returns the index of the button */
async function askForButton({ type, title, message, detail, buttons, cancelId, defaultId }) {
  const text = detail === '' ? message : `${message}\n\n${detail}`;
  const icon = ICONS[type] ?? `dialog-${type}`;
  const look = ['--no-markup', '--width=480', `--icon-name=${icon}`, `--title=${title}`, `--text=${text}`];
  if (buttons.length === 1) {
    await zenity(['--info', ...look, `--ok-label=${plain(buttons[0])}`]);
    return 0;
  }
  const okId =
    defaultId >= 0 && defaultId !== cancelId ? defaultId : buttons.findIndex((_, at) => at !== cancelId);
  const labels = [`--ok-label=${plain(buttons[okId])}`, `--cancel-label=${plain(buttons[cancelId])}`];
  const others = buttons.filter((_, at) => at !== okId && at !== cancelId);
  labels.push(...others.map((label) => `--extra-button=${plain(label)}`));
  if (defaultId === cancelId) labels.push('--default-cancel');
  const { chosen, text: extra } = await zenity(['--question', ...look, ...labels]);
  if (chosen) return okId;
  return extra === '' ? cancelId : buttons.indexOf(extra.replaceAll('__', '_'));
}

/** Repeats the question until the path is valid or the user cancels. @returns the path, or null */
async function askForFile({ title, filters, saving, folder, path, confirmOverwrite, faultOf }) {
  const flags = ['--file-selection', `--title=${title}`];
  if (saving) flags.push('--save');
  if (folder) flags.push('--directory');
  if (confirmOverwrite) flags.push('--confirm-overwrite');
  for (const { name, extensions } of filters)
    flags.push(
      `--file-filter=${name} | ${extensions.map((one) => (one === '*' ? one : `*.${one}`)).join(' ')}`,
    );
  let start = path;
  for (;;) {
    const { chosen, text } = await zenity([...flags, `--filename=${start}`]);
    if (!chosen) return null;
    const fault = faultOf(text);
    if (fault === undefined) return text;
    await zenity(['--error', '--no-markup', '--width=480', `--title=${title}`, `--text=${fault}`]);
    start = text;
  }
}

export const askByZenity = (question) =>
  question.kind === 'file' ? askForFile(question) : askForButton(question);

export function endZenity() {
  for (const child of open) child.kill('SIGTERM');
}
