// The parts of Electron's main process that the stand-in supports, and those it rejects by name.
import { unsupportedExport } from './main/desktop.mjs';

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
export { Tray } from './main/tray.mjs';
export { utilityProcess } from './main/utility-process.mjs';
export { WebContents as webContents } from './main/web-contents.mjs';

export const net = unsupportedExport('net');
export const crashReporter = unsupportedExport('crashReporter');
export const autoUpdater = unsupportedExport('autoUpdater');
export const globalShortcut = unsupportedExport('globalShortcut');
export const nativeImage = unsupportedExport('nativeImage');
export const contentTracing = unsupportedExport('contentTracing');
export const desktopCapturer = unsupportedExport('desktopCapturer');
export const inAppPurchase = unsupportedExport('inAppPurchase');
export const powerSaveBlocker = unsupportedExport('powerSaveBlocker');
export const pushNotifications = unsupportedExport('pushNotifications');
export const systemPreferences = unsupportedExport('systemPreferences');
export const BaseWindow = unsupportedExport('BaseWindow');
export const BrowserView = unsupportedExport('BrowserView');
export const View = unsupportedExport('View');
export const WebContentsView = unsupportedExport('WebContentsView');
export const MessageChannelMain = unsupportedExport('MessageChannelMain');
export const TouchBar = unsupportedExport('TouchBar');
export const ShareMenu = unsupportedExport('ShareMenu');
export const ImageView = unsupportedExport('ImageView');
export const webFrameMain = unsupportedExport('webFrameMain');
export const serviceWorkerMain = unsupportedExport('serviceWorkerMain');
