// The application menu. It is never drawn, but its accelerators act on keys the page did not prevent, and its roles
// act as in Electron. A context menu can't be shown.
import { app } from './app.mjs';
import { supportedClass, unsupported } from './supported.mjs';

/** Role → label, accelerator, action. Keys of `native` roles are the page's: Chromium's editor has handled them. */
const ROLES = {
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', act: () => app.quit() },
  close: { label: 'Close', accelerator: 'CommandOrControl+W', act: (window) => window?.close() },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', act: (window) => window?.minimize() },
  zoom: { label: 'Zoom' },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    act: (window) => window?.setFullScreen(!window.isFullScreen()),
  },
  undo: {
    label: 'Undo',
    accelerator: 'CommandOrControl+Z',
    native: true,
    act: (_window, page) => page?.undo(),
  },
  redo: {
    label: 'Redo',
    accelerator: 'Shift+CommandOrControl+Z',
    native: true,
    act: (_window, page) => page?.redo(),
  },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X', native: true },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C', native: true },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V', native: true },
  delete: { label: 'Delete', act: (_window, page) => page?.delete() },
  selectall: {
    label: 'Select All',
    accelerator: 'CommandOrControl+A',
    native: true,
    act: (_window, page) => page?.selectAll(),
  },
  reload: { label: 'Reload', accelerator: 'CommandOrControl+R', act: (_window, page) => page?.reload() },
  forcereload: {
    label: 'Force Reload',
    accelerator: 'Shift+CommandOrControl+R',
    act: (_window, page) => page?.reloadIgnoringCache(),
  },
  toggledevtools: { label: 'Toggle Developer Tools', accelerator: 'Ctrl+Shift+I', native: true },
  help: { label: 'Help' },
  filemenu: { label: 'File', submenu: ['quit'] },
  editmenu: {
    label: 'Edit',
    submenu: ['undo', 'redo', null, 'cut', 'copy', 'paste', 'delete', null, 'selectall'],
  },
  viewmenu: {
    label: 'View',
    submenu: ['reload', 'forcereload', 'toggledevtools', null, 'togglefullscreen'],
  },
  windowmenu: { label: 'Window', submenu: ['minimize', 'zoom', 'close'] },
};

const templateOf = (names) => names.map((role) => (role === null ? { type: 'separator' } : { role }));

function roleOf(name) {
  const role = ROLES[name];
  if (role === undefined) throw unsupported(`the menu role '${name}'`);
  return role;
}

/** Names of Electron's accelerators → DOM key code, Shift included where the name stands for a shifted key. */
const KEYS = {
  plus: [187, true],
  '=': [187],
  '-': [189],
  ',': [188],
  '.': [190],
  '/': [191],
  space: [32],
  tab: [9],
  backspace: [8],
  delete: [46],
  insert: [45],
  return: [13],
  enter: [13],
  up: [38],
  down: [40],
  left: [37],
  right: [39],
  home: [36],
  end: [35],
  pageup: [33],
  pagedown: [34],
  escape: [27],
  esc: [27],
};
const MODIFIERS = {
  ...{ commandorcontrol: 'ctrl', cmdorctrl: 'ctrl', control: 'ctrl', ctrl: 'ctrl', shift: 'shift' },
  ...{ alt: 'alt', option: 'alt', super: 'meta', meta: 'meta', command: 'meta', cmd: 'meta' },
};

function keyOf(token) {
  if (KEYS[token] !== undefined) return KEYS[token];
  if (/^[a-z0-9]$/.test(token)) return [token.toUpperCase().charCodeAt(0)];
  const number = /^f(\d+)$/.exec(token)?.[1];
  if (number !== undefined) return [111 + Number(number)];
  throw unsupported(`the accelerator key '${token}'`);
}

const chord = (keyCode, modifiers) => [...modifiers, keyCode].join('+');
const ORDER = ['ctrl', 'shift', 'alt', 'meta'];

/** `CmdOrCtrl+Plus` → `ctrl+shift+187`. */
function parseAccelerator(text) {
  const held = new Set();
  let key;
  for (const token of text.toLowerCase().split('+')) {
    if (MODIFIERS[token] !== undefined) held.add(MODIFIERS[token]);
    else key = keyOf(token);
  }
  if (key === undefined) throw new Error(`${text} doesn't contain a valid key`);
  if (key[1] === true) held.add('shift');
  return chord(
    key[0],
    ORDER.filter((one) => held.has(one)),
  );
}

/** An entry of the menu; tests may call `click`. */
export class MenuItem {
  #chord;
  constructor(template) {
    const name = template.role?.toLowerCase();
    const role = name === undefined ? {} : roleOf(name);
    const { submenu = role.submenu && templateOf(role.submenu) } = template;
    const menu = submenu === undefined || submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu);
    Object.assign(
      this,
      {
        type: menu === undefined ? 'normal' : 'submenu',
        label: role.label ?? '',
        ...(role.accelerator === undefined ? {} : { accelerator: role.accelerator }),
        ...{ enabled: true, visible: true, checked: false, registerAccelerator: role.native !== true },
      },
      template,
      { ...(name === undefined ? {} : { role: name }), submenu: menu ?? null },
    );
    this.#chord = this.accelerator === undefined ? undefined : parseAccelerator(this.accelerator);
    const { click } = template;
    this.click = (event, window, contents) => {
      if (role.act !== undefined) role.act(window, contents);
      else click?.(this, window, event);
    };
  }
  /** For the stand-in itself: reports whether this entry has the key. */
  takes(pressed) {
    return this.registerAccelerator && this.#chord === pressed;
  }
}

let applicationMenu = null;
let wasSet = false;

export class Menu extends supportedClass('Menu', ['menu-will-show', 'menu-will-close']) {
  items = [];
  static buildFromTemplate(template) {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu) {
    applicationMenu = menu;
    wasSet = true;
  }
  static getApplicationMenu = () => applicationMenu;
  append(item) {
    this.items.push(item);
  }
  insert(at, item) {
    this.items.splice(at, 0, item);
  }
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
  popup() {
    throw unsupported('Menu.popup');
  }
}

/** Sets the menu Electron gives an app without one, just before 'ready'. */
export function setDefaultMenu() {
  if (wasSet) return;
  applicationMenu = Menu.buildFromTemplate(
    ['filemenu', 'editmenu', 'viewmenu', 'windowmenu'].map((role) => ({ role })),
  );
}

const entries = (menu) =>
  menu.items.flatMap((item) => (item.submenu === null ? [item] : entries(item.submenu)));

/** Handles a key the page did not prevent: clicks the entry that has it, the last one where two do. */
export function pressAccelerator({ keyCode, ctrlKey, shiftKey, altKey, metaKey }, window, contents) {
  if (applicationMenu === null) return;
  const held = { ctrl: ctrlKey, shift: shiftKey, alt: altKey, meta: metaKey };
  const pressed = chord(
    keyCode,
    ORDER.filter((one) => held[one]),
  );
  const item = entries(applicationMenu).findLast((one) => one.takes(pressed));
  if (item?.enabled === true)
    item.click({ triggeredByAccelerator: true, ctrlKey, shiftKey, altKey, metaKey }, window, contents);
}
