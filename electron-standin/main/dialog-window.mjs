// Shows a question at the display where zenity is missing: a small window with a text, a path field in place of a
// file dialog, and buttons. It is not part of the app and has no preload.
import { createPage } from './targets.mjs';
import { runtime } from './runtime.mjs';
import { display } from './screen.mjs';

// The confirming button comes first in the form, since Enter presses the first one; it is drawn last.
const PAGE = `<!doctype html><meta charset="utf-8"><style>
  :root { color-scheme: light dark } body { font: 14px system-ui; margin: 24px }
  h1 { font-size: 16px; margin: 0 0 8px } p { white-space: pre-wrap; overflow-wrap: anywhere } p[role=alert] { color: light-dark(#b00020, #ff8a80) }
  input { width: 100%; font: inherit; padding: 6px; box-sizing: border-box }
  div { display: flex; flex-direction: row-reverse; gap: 8px; margin-top: 24px } button { font: inherit; padding: 6px 16px }
</style><h1></h1><p></p><form><input hidden aria-label="Path"><p role="alert"></p><div></div></form>`;

/** Runs in that page. Texts are set as text: they may come from a server. */
function fill({ title, message, detail, path, buttons, cancelId, defaultId }) {
  document.title = title;
  document.querySelector('h1').textContent = message || title;
  document.querySelector('p').textContent = detail || '';
  const form = document.querySelector('form');
  const input = document.querySelector('input');
  const answer = (button) => window.standinAnswer(JSON.stringify({ button, text: input.value }));
  const confirming = defaultId >= 0 ? defaultId : buttons.length - 1;
  const order = [confirming, ...buttons.keys().filter((at) => at !== confirming)];
  for (const at of order) {
    const button = document.createElement('button');
    button.textContent = buttons[at];
    button.value = String(at);
    document.querySelector('div').append(button);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer(Number(event.submitter?.value ?? confirming));
  });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && answer(cancelId));
  if (path === undefined) {
    form.querySelector('button').focus();
    return;
  }
  input.hidden = false;
  input.value = path;
  input.focus();
  input.setSelectionRange(path.lastIndexOf('/') + 1, path.length);
}

/** Opens the window of a question, still empty. */
async function openWindow(height) {
  const { session, targetId } = await createPage({ width: 560, height });
  const { root } = runtime.chromium.connection;
  const { windowId } = await root.send('Browser.getWindowForTarget', { targetId });
  const { workArea } = display();
  const bounds = {
    left: workArea.x + Math.round((workArea.width - 560) / 2),
    top: workArea.y + Math.round((workArea.height - height) / 3),
    ...{ width: 560, height },
  };
  root.post('Browser.setWindowBounds', { windowId, bounds });
  await session.send('Page.enable');
  session.post('Runtime.runIfWaitingForDebugger');
  await session.send('Runtime.addBinding', { name: 'standinAnswer' });
  const { frameTree } = await session.send('Page.getFrameTree');
  await session.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html: PAGE });
  return { session, close: () => root.post('Target.closeTarget', { targetId }) };
}

/** Shows the question; it can be answered from then on. */
function show(session, { title, message, detail, path, buttons, cancelId, defaultId }) {
  const question = JSON.stringify({ title, message, detail, path, buttons, cancelId, defaultId });
  session.post('Runtime.evaluate', { expression: `(${fill})(${question})` });
  session.post('Page.bringToFront');
}

/** @returns the path or null, or the index of the button; a window closed without an answer is cancelled */
export async function askInWindow(question) {
  const isFile = question.kind === 'file';
  const cancelId = isFile ? 0 : question.cancelId;
  const shown = isFile ? { ...question, cancelId, defaultId: 1 } : question;
  const { session, close } = await openWindow(isFile ? 200 : 240);
  const answer = await new Promise((resolve) => {
    session.on('Runtime.bindingCalled', ({ payload }) => {
      const { button, text } = JSON.parse(payload);
      if (!isFile) return resolve(button);
      if (button === cancelId) return resolve(null);
      const fault = question.faultOf(text);
      if (fault === undefined) return resolve(text);
      const expression = `document.querySelector('[role=alert]').textContent = ${JSON.stringify(fault)}`;
      session.post('Runtime.evaluate', { expression });
    });
    session.on('detached', () => resolve(isFile ? null : cancelId));
    show(session, shown);
  });
  close();
  return answer;
}
