// Where a window is and how large. Sizes are those of the page: there is no frame in headless Chromium, and
// under a display the frame is the window manager's.
import { runtime } from './runtime.mjs';

const rootSend = (method, params) => runtime.chromium.connection.root.send(method, params);

export class WindowPlace {
  #window;
  #windowId;
  #bounds;
  #given;
  #state = 'normal';
  #placed = Promise.resolve();
  least;

  constructor(window, { width = 800, height = 600, minWidth = 0, minHeight = 0, x, y }) {
    this.#window = window;
    this.least = { width: minWidth, height: minHeight };
    this.#given = x !== undefined && y !== undefined;
    this.#bounds = this.#atLeast({ x: x ?? 0, y: y ?? 0, width, height });
  }

  #atLeast(bounds) {
    const width = Math.max(bounds.width, this.least.width);
    const height = Math.max(bounds.height, this.least.height);
    return { ...bounds, width, height };
  }

  forCreation() {
    const { x, y, width, height } = this.#bounds;
    return this.#given ? { x, y, width, height } : { width, height };
  }

  /** Chromium makes windows of an outer size, with its own bars: corrected before the page is loaded. */
  async settle(targetId) {
    const { windowId } = await rootSend('Browser.getWindowForTarget', { targetId });
    this.#windowId = windowId;
    await this.#resize();
  }

  #resize() {
    const { width, height } = this.#bounds;
    return rootSend('Browser.setContentsSize', { windowId: this.#windowId, width, height });
  }

  bounds() {
    return { ...this.#bounds };
  }
  current() {
    return this.#state;
  }

  move(change) {
    const before = this.#bounds;
    this.#bounds = this.#atLeast({ ...before, ...change });
    const { x, y, width, height } = this.#bounds;
    const moved = x !== before.x || y !== before.y;
    const resized = width !== before.width || height !== before.height;
    this.#inOrder(async () => {
      if (moved) {
        await rootSend('Browser.setWindowBounds', { windowId: this.#windowId, bounds: { left: x, top: y } });
      }
      if (resized) await this.#resize();
    });
    if (moved) for (const event of ['move', 'moved']) this.#window.emit(event);
    if (resized) for (const event of ['resize', 'resized']) this.#window.emit(event);
  }

  center() {
    this.#inOrder(async () => {
      const screen = await this.#window.webContents.runInPreloadWorld(
        '[screen.availWidth, screen.availHeight]',
      );
      const { width, height } = this.#bounds;
      const [left, top] = [(screen[0] - width) / 2, (screen[1] - height) / 2].map((at) =>
        Math.max(0, Math.round(at)),
      );
      this.#bounds = { ...this.#bounds, x: left, y: top };
      await rootSend('Browser.setWindowBounds', { windowId: this.#windowId, bounds: { left, top } });
    });
  }

  state(state, event) {
    if (state !== this.#state) {
      this.#state = state;
      this.#inOrder(() =>
        rootSend('Browser.setWindowBounds', { windowId: this.#windowId, bounds: { windowState: state } }),
      );
    }
    if (event) this.#window.emit(event);
  }

  /** A person, or a driver, changed the window. */
  seen({ width, height, x, y }) {
    const before = this.#bounds;
    this.#bounds = { x, y, width, height };
    if (width !== before.width || height !== before.height) {
      for (const event of ['resize', 'resized']) this.#window.emit(event);
    }
    if (x !== before.x || y !== before.y) for (const event of ['move', 'moved']) this.#window.emit(event);
  }

  /** One change after the other, once the window is there. A window closed meanwhile needs none of them. */
  #inOrder(change) {
    this.#placed = this.#placed
      .then(() => this.#window.webContents.whenAttached())
      .then(change)
      .catch((error) => {
        if (error.name !== 'ProtocolError') throw error;
        if (!this.#window.isDestroyed()) process.stderr.write(`electron-standin: ${error.message}\n`);
      });
  }
}
