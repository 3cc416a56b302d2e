// Tracks where a window is, its size, and whether it is minimised or maximised, whoever changed it. Sizes are outer
// ones, as in Electron: the page plus its menu bar, which has its height here though it is not drawn.
import { reportFault, runtime } from './runtime.mjs';
import { display } from './screen.mjs';

const rootSend = (method, params) => runtime.chromium.connection.root.send(method, params);

/** One possible height of Electron's menu bar, which depends on the toolkit's font. */
export const MENU_BAR = 28;

/** The event of each state change, by the new state and by the one left. */
const ENTERED = { maximized: 'maximize', fullscreen: 'enter-full-screen' };
const LEFT = { maximized: 'unmaximize', fullscreen: 'leave-full-screen' };

export class WindowPlace {
  #window;
  #windowId;
  #bounds;
  #normal;
  #given;
  #state = 'normal';
  #asked = 0;
  #placed = Promise.resolve();
  #least;

  /** @param window has `menuBarHeight()`, and emits the events */
  constructor(window, { width = 800, height = 600, minWidth = 0, minHeight = 0, x, y, useContentSize }) {
    this.#window = window;
    // With useContentSize both the size and its minimum are the page's.
    const bar = useContentSize ? window.menuBarHeight() : 0;
    this.#least = { width: minWidth, height: minHeight + bar };
    this.#given = x !== undefined && y !== undefined;
    const { workArea } = display();
    const size = this.#atLeast({ width, height: height + bar });
    const centred = {
      x: workArea.x + Math.max(0, Math.round((workArea.width - size.width) / 2)),
      y: workArea.y + Math.max(0, Math.round((workArea.height - size.height) / 2)),
    };
    this.#normal = this.#bounds = { ...(this.#given ? { x, y } : centred), ...size };
  }

  #atLeast(bounds) {
    const width = Math.max(bounds.width, this.#least.width);
    const height = Math.max(bounds.height, this.#least.height);
    return { ...bounds, width, height };
  }
  #contentSize({ width, height }) {
    return { width, height: Math.max(1, height - this.#window.menuBarHeight()) };
  }

  /** For Chromium, which makes pages, not windows with a menu bar. */
  forCreation() {
    const { x, y } = this.#bounds;
    return { x, y, ...this.#contentSize(this.#bounds) };
  }

  /**
   * Corrects the place before the page is loaded: Chromium opens windows where it likes, and headless with bars of
   * its own.
   */
  async settle(targetId) {
    const { windowId } = await rootSend('Browser.getWindowForTarget', { targetId });
    this.#windowId = windowId;
    const { x, y, ...size } = this.forCreation();
    if (!runtime.headless)
      await rootSend('Browser.setWindowBounds', { windowId, bounds: { left: x, top: y, ...size } });
    await this.#resize();
  }
  #resize() {
    return rootSend('Browser.setContentsSize', {
      windowId: this.#windowId,
      ...this.#contentSize(this.#bounds),
    });
  }

  bounds() {
    return { ...this.#bounds };
  }
  normalBounds() {
    return { ...this.#normal };
  }
  contentBounds() {
    const { x, y } = this.#bounds;
    return { x, y: y + this.#window.menuBarHeight(), ...this.#contentSize(this.#bounds) };
  }
  /** @param bounds of the page → of the window */
  outer({ y, height, ...rest }) {
    const bar = this.#window.menuBarHeight();
    return {
      ...rest,
      ...(y === undefined ? {} : { y: y - bar }),
      ...(height === undefined ? {} : { height: height + bar }),
    };
  }
  state() {
    return this.#state;
  }
  get least() {
    return { ...this.#least };
  }
  set least(size) {
    this.#least = size;
  }

  move(change) {
    const before = this.#bounds;
    this.#normal = this.#bounds = this.#atLeast({ ...before, ...change });
    const { x, y, width, height } = this.#bounds;
    const moved = x !== before.x || y !== before.y;
    const resized = width !== before.width || height !== before.height;
    this.#inOrder(async () => {
      if (moved)
        await rootSend('Browser.setWindowBounds', { windowId: this.#windowId, bounds: { left: x, top: y } });
      if (resized) await this.#resize();
      if (moved) this.#window.emit('move');
      if (resized) this.#window.emit('resize');
    });
  }

  center() {
    const { workArea } = display();
    const { width, height } = this.#bounds;
    this.move({
      x: workArea.x + Math.max(0, Math.round((workArea.width - width) / 2)),
      y: workArea.y + Math.max(0, Math.round((workArea.height - height) / 2)),
    });
  }

  /** @param quietly without Electron's event: hiding is done by minimising */
  become(state, { quietly = false } = {}) {
    const left = this.#state;
    if (state === left) return;
    this.#asked += 1;
    this.#state = state;
    this.#inOrder(async () => {
      await rootSend('Browser.setWindowBounds', {
        windowId: this.#windowId,
        bounds: { windowState: state },
      });
      if (!quietly) this.#emitChange(left, state);
    });
  }
  #emitChange(left, entered) {
    if (entered === 'minimized') this.#window.emit('minimize');
    else if (left === 'minimized') this.#window.emit('restore');
    else
      for (const event of [LEFT[left], ENTERED[entered]]) if (event !== undefined) this.#window.emit(event);
  }

  /** Handles a change by the user, the window manager or a driver: what the page saw, and what Chromium reports. */
  seen({ width, height, x, y }) {
    if (runtime.headless) {
      this.#take({ x, y, ...this.outer({ width, height }) });
      return;
    }
    const asked = this.#asked;
    this.#inOrder(async () => {
      const { bounds } = await rootSend('Browser.getWindowBounds', { windowId: this.#windowId });
      // The app requested another state meanwhile, which follows.
      if (asked !== this.#asked) return;
      const { windowState, left, top, ...size } = bounds;
      const before = this.#state;
      this.#state = windowState;
      if (windowState !== 'minimized') this.#take({ x: left, y: top, ...this.outer(size) });
      if (windowState !== before && this.#window.isVisible()) this.#emitChange(before, windowState);
    });
  }
  #take(bounds) {
    const before = this.#bounds;
    this.#bounds = bounds;
    if (this.#state === 'normal') this.#normal = bounds;
    const { width, height } = this.#atLeast(bounds);
    if (bounds.width !== before.width || bounds.height !== before.height) this.#window.emit('resize');
    if (bounds.x !== before.x || bounds.y !== before.y) this.#window.emit('move');
    // The window manager can't be given a minimum size from outside, so a smaller window is enlarged again.
    if (!runtime.headless && this.#state === 'normal' && (width > bounds.width || height > bounds.height))
      this.move({});
  }

  /** Settles when every change so far has been made and seen. */
  whenSettled() {
    return this.#placed;
  }

  /** Runs changes one after another, once the window exists. A window closed meanwhile needs none of them. */
  #inOrder(change) {
    this.#placed = this.#placed
      .then(() => this.#window.webContents.whenAttached())
      .then(change)
      .catch(reportFault);
  }
}
