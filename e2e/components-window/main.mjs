// A window on the components page, which a test serves; it contains nothing of the app.
import { app, BrowserWindow } from 'electron';

app.setPath('userData', process.env.BALLAST_PROFILE ?? app.getPath('userData'));
app.on('window-all-closed', () => app.quit());
void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    webPreferences: { sandbox: true, contextIsolation: true },
  });
  return window.loadURL(process.env.COMPONENTS_URL ?? 'about:blank');
});
