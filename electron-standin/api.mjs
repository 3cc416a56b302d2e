// What `import … from 'electron'` and `require('electron')` give in the main process.
import { app } from './main/app.mjs';
import { BrowserWindow } from './main/browser-window.mjs';
import { carriedModule } from './main/carried.mjs';
import {
  Menu,
  MenuItem,
  Notification,
  clipboard,
  powerMonitor,
  refused,
  safeStorage,
  screen,
  shell,
} from './main/desktop.mjs';
import { dialog } from './main/dialog.mjs';
import { ipcMain } from './main/ipc-main.mjs';
import { nativeTheme } from './main/native-theme.mjs';
import { protocol } from './main/protocol.mjs';
import { session } from './main/session.mjs';
import { utilityProcess } from './main/utility-process.mjs';
import { WebContents as webContents } from './main/web-contents.mjs';

app.windows = BrowserWindow.getAllWindows;

const Tray = refused('Tray');
const net = refused('net');
const crashReporter = refused('crashReporter');
const autoUpdater = refused('autoUpdater');
const globalShortcut = refused('globalShortcut');
const nativeImage = refused('nativeImage');
const contentTracing = refused('contentTracing');
const desktopCapturer = refused('desktopCapturer');
const inAppPurchase = refused('inAppPurchase');
const powerSaveBlocker = refused('powerSaveBlocker');
const pushNotifications = refused('pushNotifications');
const systemPreferences = refused('systemPreferences');
const BaseWindow = refused('BaseWindow');
const BrowserView = refused('BrowserView');
const View = refused('View');
const WebContentsView = refused('WebContentsView');
const MessageChannelMain = refused('MessageChannelMain');
const TouchBar = refused('TouchBar');
const ShareMenu = refused('ShareMenu');
const ImageView = refused('ImageView');
const webFrameMain = refused('webFrameMain');
const serviceWorkerMain = refused('serviceWorkerMain');

const electron = {
  app,
  BrowserWindow,
  Menu,
  MenuItem,
  Notification,
  clipboard,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
  webContents,
  Tray,
  net,
  crashReporter,
  autoUpdater,
  globalShortcut,
  nativeImage,
  contentTracing,
  desktopCapturer,
  inAppPurchase,
  powerSaveBlocker,
  pushNotifications,
  systemPreferences,
  BaseWindow,
  BrowserView,
  View,
  WebContentsView,
  MessageChannelMain,
  TouchBar,
  ShareMenu,
  ImageView,
  webFrameMain,
  serviceWorkerMain,
};

export {
  app,
  BrowserWindow,
  Menu,
  MenuItem,
  Notification,
  clipboard,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
  webContents,
  Tray,
  net,
  crashReporter,
  autoUpdater,
  globalShortcut,
  nativeImage,
  contentTracing,
  desktopCapturer,
  inAppPurchase,
  powerSaveBlocker,
  pushNotifications,
  systemPreferences,
  BaseWindow,
  BrowserView,
  View,
  WebContentsView,
  MessageChannelMain,
  TouchBar,
  ShareMenu,
  ImageView,
  webFrameMain,
  serviceWorkerMain,
};
export { electron as 'module.exports' };
export default carriedModule('electron', electron);
