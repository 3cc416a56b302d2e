/** The part of Electron's window that is used. */
interface Followed {
  on(
    event: 'hide' | 'minimize' | 'show' | 'restore' | 'enter-full-screen' | 'focus',
    listener: () => void,
  ): unknown;
}

/** Follows whether the window is hidden or minimized. */
export class Visibility {
  #isHidden = false;

  /** False before the window is shown for the first time. */
  isHidden(): boolean {
    return this.#isHidden;
  }

  /** Calls `shownAgain` when the window is shown again after it was hidden or minimized. */
  follow(window: Followed, shownAgain: () => void): void {
    const hidden = (): void => void (this.#isHidden = true);
    const shown = (): void => {
      if (!this.#isHidden) return;
      this.#isHidden = false;
      shownAgain();
    };
    window.on('hide', hidden);
    window.on('minimize', hidden);
    window.on('show', shown);
    window.on('restore', shown);
    // On Windows the only event of a window that was minimized from full screen (native_window_views_win.cc).
    window.on('enter-full-screen', shown);
    // Whoever works in it sees it, whatever the window manager reported.
    window.on('focus', shown);
  }
}
