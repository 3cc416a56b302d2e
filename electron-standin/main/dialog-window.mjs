// A question to the person at the display: a small window with a text and buttons, and a path to type where a
// file dialog would be. Plain, but it works; it is no part of the app and has no preload.
import { createPage } from './targets.mjs';
import { runtime } from './runtime.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><style>
  :root { color-scheme: light dark } body { font: 14px system-ui; margin: 24px }
  h1 { font-size: 16px; margin: 0 0 8px } p { white-space: pre-wrap } input { width: 100%; font: inherit; padding: 6px; box-sizing: border-box }
  div { display: flex; gap: 8px; justify-content: flex-end; margin-top: 24px } button { font: inherit; padding: 6px 16px }
</style><h1></h1><p></p><form><input hidden><div></div></form>`;

/** Runs in that page. Text is set as text: it may come from a server. */
function fill(question) {
  document.title = question.title;
  document.querySelector('h1').textContent = question.message || question.title;
  document.querySelector('p').textContent = question.detail || '';
  const input = document.querySelector('input');
  const answer = (button) => window.standinAnswer(JSON.stringify({ button, text: input.value }));
  if (question.input !== undefined) {
    input.hidden = false;
    input.value = question.input;
    input.select();
  }
  const last = question.buttons.length - 1;
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    answer(Number(event.submitter?.value ?? last));
  });
  question.buttons.forEach((label, index) => {
    const button = document.createElement('button');
    button.textContent = label;
    button.value = String(index);
    document.querySelector('div').append(button);
  });
}

/** @returns which button, and the text; a window closed without an answer gives `button: undefined` */
export async function askPerson(question) {
  const { session, targetId } = await createPage({ width: 560, height: 320, x: 200, y: 160 });
  const answered = new Promise((resolve) => {
    session.on('Runtime.bindingCalled', ({ payload }) => resolve(JSON.parse(payload)));
    session.on('detached', () => resolve({ button: undefined, text: '' }));
  });
  await session.send('Page.enable');
  session.post('Runtime.runIfWaitingForDebugger');
  await session.send('Runtime.addBinding', { name: 'standinAnswer' });
  const { frameTree } = await session.send('Page.getFrameTree');
  await session.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html: PAGE });
  await session.send('Runtime.evaluate', { expression: `(${fill})(${JSON.stringify(question)})` });
  const answer = await answered;
  runtime.chromium.connection.root.post('Target.closeTarget', { targetId });
  return answer;
}
