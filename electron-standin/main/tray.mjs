// Tray icons. They are never drawn, as on a desktop without a tray; tests read and click the menu they were given.
import { existsSync } from 'node:fs';
import { Menu } from './menu.mjs';
import { assertReady } from './runtime.mjs';
import { supportedClass, unsupported } from './supported.mjs';

/** Electron loads the image at once and rejects what it cannot read. */
function checkImage(image) {
  if (typeof image !== 'string') throw unsupported('a Tray image as a NativeImage');
  if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`);
}

export class Tray extends supportedClass('Tray', [
  'click',
  // Events of macOS and Windows: never raised here.
  'right-click',
  'double-click',
  'middle-click',
  'balloon-show',
  'balloon-click',
  'balloon-closed',
  'drop',
  'drop-files',
  'drop-text',
  'drag-enter',
  'drag-leave',
  'drag-end',
  'mouse-up',
  'mouse-down',
  'mouse-enter',
  'mouse-leave',
  'mouse-move',
]) {
  #destroyed = false;
  constructor(image) {
    super();
    assertReady(new Error('Cannot create Tray before app is ready'));
    checkImage(image);
  }
  #assertAlive() {
    if (this.#destroyed) throw new Error('Tray is destroyed');
  }
  setImage(image) {
    this.#assertAlive();
    checkImage(image);
  }
  setToolTip() {
    this.#assertAlive();
  }
  setContextMenu(menu) {
    this.#assertAlive();
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Error processing argument at index 0');
  }
  destroy() {
    this.#destroyed = true;
  }
  isDestroyed() {
    return this.#destroyed;
  }
}
