// A minimal app in the shape of Ballast: one sandboxed window, one page, one call that echoes its input.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, BrowserWindow, ipcMain, protocol } from 'electron';

const here = import.meta.dirname;
app.setPath('userData', process.env.BALLAST_PROFILE ?? app.getPath('userData'));
// As root, Chromium starts only without it, like Ballast.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
ipcMain.handle('echo', (_event, value) => value);
app.on('window-all-closed', () => app.quit());
void app.whenReady().then(() => {
  protocol.handle(
    'app',
    async () =>
      new Response(await readFile(join(here, 'index.html')), {
        headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'" },
      }),
  );
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    webPreferences: { preload: join(here, 'preload.cjs'), sandbox: true, contextIsolation: true },
  });
  return window.loadURL('app://bundle/index.html');
});
