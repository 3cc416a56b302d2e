import { supportedClass, unsupported } from './supported.mjs';

// The desktop's preference is known to the page alone, which follows it.
class NativeTheme extends supportedClass('nativeTheme', ['updated']) {
  #source = 'system';
  #sessions = new Set();

  get themeSource() {
    return this.#source;
  }
  set themeSource(source) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Invalid themeSource "${source}"`);
    if (source === this.#source) return;
    this.#source = source;
    for (const session of this.#sessions) this.#apply(session);
    this.emit('updated', {});
  }
  get shouldUseDarkColors() {
    if (this.#source === 'system')
      throw unsupported('nativeTheme.shouldUseDarkColors while themeSource is "system"');
    return this.#source === 'dark';
  }
  get shouldUseHighContrastColors() {
    return false;
  }
  get shouldUseInvertedColorScheme() {
    return false;
  }
  get prefersReducedTransparency() {
    return false;
  }
  get inForcedColorsMode() {
    return false;
  }

  /** Applies to pages of new windows; a driver's own `emulateMedia` overrides it when it comes later. */
  follow(session) {
    this.#sessions.add(session);
    session.on('detached', () => this.#sessions.delete(session));
    if (this.#source !== 'system') this.#apply(session);
  }
  #apply(session) {
    const value = this.#source === 'system' ? '' : this.#source;
    session.post('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }
}

export const nativeTheme = new NativeTheme();
