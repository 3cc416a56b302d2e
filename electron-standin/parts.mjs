// The parts of Electron's main process that the stand-in supports, and those it rejects by name.
import { refused } from './main/desktop.mjs';

export { app } from './main/app.mjs';
export { BrowserWindow } from './main/browser-window.mjs';
export { clipboard, powerMonitor, safeStorage, shell } from './main/desktop.mjs';
export { dialog } from './main/dialog.mjs';
export { ipcMain } from './main/ipc-main.mjs';
export { Menu, MenuItem } from './main/menu.mjs';
export { nativeTheme } from './main/native-theme.mjs';
export { Notification } from './main/notification.mjs';
export { protocol } from './main/protocol.mjs';
export { screen } from './main/screen.mjs';
export { session } from './main/session.mjs';
export { utilityProcess } from './main/utility-process.mjs';
export { WebContents as webContents } from './main/web-contents.mjs';

export const Tray = refused('Tray');
export const net = refused('net');
export const crashReporter = refused('crashReporter');
export const autoUpdater = refused('autoUpdater');
export const globalShortcut = refused('globalShortcut');
export const nativeImage = refused('nativeImage');
export const contentTracing = refused('contentTracing');
export const desktopCapturer = refused('desktopCapturer');
export const inAppPurchase = refused('inAppPurchase');
export const powerSaveBlocker = refused('powerSaveBlocker');
export const pushNotifications = refused('pushNotifications');
export const systemPreferences = refused('systemPreferences');
export const BaseWindow = refused('BaseWindow');
export const BrowserView = refused('BrowserView');
export const View = refused('View');
export const WebContentsView = refused('WebContentsView');
export const MessageChannelMain = refused('MessageChannelMain');
export const TouchBar = refused('TouchBar');
export const ShareMenu = refused('ShareMenu');
export const ImageView = refused('ImageView');
export const webFrameMain = refused('webFrameMain');
export const serviceWorkerMain = refused('serviceWorkerMain');
