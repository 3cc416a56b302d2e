/**
 * A desktop: a display with a window manager and a session bus, and the app on it, started as by its user. Nothing
 * is attached to the app: it is driven by the keys and mouse of the X server, and observed by what the X server
 * shows, the practice exchange's controls and the files it writes.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { expect, test as base } from '@playwright/test';
import { startBus } from '../../scripts/setup/bus.mjs';
import { findElectron } from '../../scripts/setup/electron.mjs';
import { startPractice } from '../../src-practice/index.ts';
import type { Practice } from '../../src-practice/index.ts';
import { practiceEnv, received, ROOT } from '../fixture.ts';

const run = promisify(execFile);
/** Longer than the frames between a key and its drawing. Changes from the exchange are awaited by content. */
const STILL_MS = 120;
/** A sheet that sends ignores Enter for 400 ms after it changed. */
const QUIET_MS = 500;

/** An undrawn window has one colour, or a few while it is blended in; text alone has more. */
const EMPTY_COLOURS = 12;
/** Share of a page that an effect of a key changes: a poll of the Overview changes 3 %, a screen or a sheet over 15 %. */
const PAGE_EFFECT = 0.06;
/** The same of an area in which nothing ticks. */
export const ANY_EFFECT = 0.001;
function differ(one: Uint32Array, other: Uint32Array, share: number): boolean {
  const most = share * one.length;
  let count = 0;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at] && ++count > most) return true;
  return false;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A program started here, which ends with the test. */
export class Program {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(program, args, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', resolve);
    });
  }
  /** Types into it. */
  write(text: string): void {
    this.#child.stdin?.write(text);
  }
  /** Its output so far. */
  output(): string {
    return this.#output;
  }
  isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
  /** Its exit code, null when a signal ended it. */
  whenEnded(): Promise<number | null> {
    return this.#ended;
  }
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
  async end(): Promise<void> {
    if (this.isRunning()) this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

/** After this time a key counts as missed. */
const AGAIN_MS = 10_000;

/** One window of the window manager. */
export class Frame {
  readonly id: string;
  readonly #desktop: Desktop;
  constructor(desktop: Desktop, id: string) {
    this.#desktop = desktop;
    this.id = id;
  }
  /** The page's window, without the window manager's frame. */
  async area(): Promise<Area> {
    const shown = await this.#desktop.run('xwininfo', '-id', this.id);
    const number = (name: string): number => Number(new RegExp(`${name}: +(-?\\d+)$`, 'm').exec(shown)?.[1]);
    return {
      x: number('Absolute upper-left X'),
      y: number('Absolute upper-left Y'),
      width: number('Width'),
      height: number('Height'),
    };
  }
  /** A property as xprop prints its value. */
  async property(name: string): Promise<string> {
    const line = await this.#desktop.run('xprop', '-id', this.id, name);
    return line.replace(/^[^=:]*[=:]\s*/, '').trim();
  }
  async isMapped(): Promise<boolean> {
    return (await this.#desktop.run('xwininfo', '-id', this.id)).includes('Map State: IsViewable');
  }
  /** By the window manager's own key. */
  async close(): Promise<void> {
    await this.activate();
    await this.#desktop.press('alt+F4');
  }
  /**
   * Closes it and waits for the program's end; returns its exit code. Presses again, as a user would, in case the window
   * manager missed the key, as while the window is drawn anew.
   */
  async closeToEnd(app: Program): Promise<number | null> {
    let pressedAt = -Infinity;
    const goesOn = async (): Promise<boolean> => {
      // The X server removes the window of an ended program a moment later.
      const isShown = (await this.#desktop.frames('class', '^ballast$')).some(({ id }) => id === this.id);
      if (isShown && performance.now() - pressedAt > AGAIN_MS) {
        if (pressedAt > 0)
          process.stdout.write('The window is still there: its closing key is pressed again.\n');
        pressedAt = performance.now();
        await this.close();
      }
      return app.isRunning() || isShown;
    };
    await expect.poll(goesOn, { message: 'closed, and ended' }).toBe(false);
    return app.whenEnded();
  }
  /** By openbox's middle button in the title bar: maximises, or restores. */
  async toggleMaximized(): Promise<void> {
    const { x, y, width } = await this.area();
    await this.#desktop.click(x + width - 26, y - 9);
  }
  /** Requests the keyboard focus until it has it: a window manager may miss or reject the first request. */
  async activate(): Promise<void> {
    await expect
      .poll(async () => {
        await this.#desktop.run('xdotool', 'windowactivate', this.id).catch(() => '');
        return this.isActive();
      })
      .toBe(true);
  }
  async isActive(): Promise<boolean> {
    // Fails while no window has the focus.
    const active = await this.#desktop.run('xdotool', 'getactivewindow').catch(() => '');
    return active.trim() === this.id;
  }
  /** Requests it until the window is gone: a window manager may miss the first request. */
  async minimize(): Promise<void> {
    await expect
      .poll(async () => {
        await this.#desktop.run('xdotool', 'windowminimize', this.id);
        return this.isMapped();
      })
      .toBe(false);
  }
  async moveTo(x: number, y: number): Promise<void> {
    await this.#desktop.run('xdotool', 'windowmove', this.id, String(x), String(y));
  }
  async resizeTo(width: number, height: number): Promise<void> {
    await this.#desktop.run('xdotool', 'windowsize', this.id, String(width), String(height));
  }
}

/** How the app is started. */
export interface Start {
  readonly profile: string;
  readonly practice?: Practice;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** By `npm start`'s own program instead of Electron itself. */
  readonly byNpm?: boolean;
}

export class Desktop {
  readonly #programs: Program[] = [];
  readonly env: NodeJS.ProcessEnv;
  /** A folder of its own in place of the user's home; downloads are below it. */
  readonly home: string;

  private constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.env = env;
  }

  static async open(size: string): Promise<Desktop> {
    const home = await mkdtemp(join(tmpdir(), 'ballast-desktop-'));
    const folders = { XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state' };
    const {
      WAYLAND_DISPLAY: _wayland,
      BALLAST_STANDIN_HEADLESS: _headless,
      XAUTHORITY: _authority,
      GTK_THEME: _theme,
      ...rest
    } = process.env;
    const env: NodeJS.ProcessEnv = { ...rest, HOME: home, SHELL: '/bin/sh', LC_ALL: 'C.UTF-8' };
    for (const [name, folder] of Object.entries(folders)) env[name] = join(home, folder);
    env['XDG_CACHE_HOME'] = join(ROOT, '.cache', 'xdg');
    env['XDG_DOWNLOAD_DIR'] = join(home, 'Downloads');
    await mkdir(env['XDG_DOWNLOAD_DIR'], { recursive: true });
    const desktop = new Desktop(home, env);
    try {
      await desktop.#prepare(size);
    } catch (error) {
      await desktop.close();
      throw error;
    }
    return desktop;
  }

  async #prepare(size: string): Promise<void> {
    const screen = ['-screen', '0', `${size}x24`, '-fbdir', this.home];
    const server = spawn('Xvfb', ['-displayfd', '3', '-noreset', '-nolisten', 'tcp', ...screen], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const ended = once(server, 'close');
    this.#ends.push(async () => {
      server.kill();
      await ended;
    });
    const [number] = (await once(server.stdio[3] as NodeJS.EventEmitter, 'data')) as [Buffer];
    this.env['DISPLAY'] = `:${number.toString().trim()}`;
    // In a corner: a pointer resting in the middle shows tooltips.
    await this.run('xdotool', 'mousemove', '0', '0');
    const bus = await startBus(this.env);
    this.#ends.push(() => bus.stop());
    this.env['DBUS_SESSION_BUS_ADDRESS'] = bus.address;
    const manager = this.program('openbox', []);
    await expect
      .poll(
        async () =>
          `${manager.isRunning()} ${manager.output()} ${await this.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK')}`,
      )
      .toContain('window id');
  }
  readonly #ends: (() => Promise<void> | void)[] = [];

  /** Starts a program on this desktop; it ends with it at the latest. */
  program(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    const started = new Program(program, args, { ...this.env, ...env });
    this.#programs.push(started);
    return started;
  }

  /** Runs a command in a terminal: what is written to it are keys, including Ctrl C. */
  terminal(command: string, env: Readonly<Record<string, string>>): Program {
    // Replaces the shell: some stay beside the command, and Ctrl C ends them with a status of their own.
    const line = `exec ${command}`;
    return this.program('script', ['--quiet', '--return', '--command', line, '/dev/null'], env);
  }

  start({ profile, practice, args = [], env = {}, byNpm = false }: Start): Program {
    const line = practice === undefined ? {} : practiceEnv(practice);
    const own = { BALLAST_PROFILE: profile, ...line, ...env };
    if (byNpm) return this.program(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'start', ...args], own);
    // Run as root, Electron starts only without its sandbox.
    const bare = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return this.program(findElectron(ROOT).path, [...bare, ROOT, ...args], own);
  }

  /** Runs a program on this desktop to its end; returns its output. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run(program, args, { env: this.env, timeout: 120_000 });
    return stdout;
  }

  /** Shown windows, by the class or title the window manager knows them by; none where the search failed: ask again. */
  async frames(by: 'class' | 'name', pattern: string): Promise<Frame[]> {
    // xdotool ends with 1 when it finds none.
    const found = await this.run('xdotool', 'search', '--onlyvisible', `--${by}`, pattern).catch(() => '');
    return found
      .split('\n')
      .filter((id) => id !== '')
      .map((id) => new Frame(this, id));
  }
  /** Every window of the window manager. */
  async allFrames(): Promise<Frame[]> {
    const list = await this.run('xprop', '-root', '_NET_CLIENT_LIST');
    return (list.match(/0x[\da-f]+/g) ?? []).map((id) => new Frame(this, String(Number(id))));
  }
  /** The app's other windows: its dialogs. */
  async dialogsOf(frame: Frame): Promise<Frame[]> {
    return (await this.allFrames()).filter(({ id }) => id !== frame.id);
  }
  /** Its one dialog, once it appears. */
  async dialogOf(frame: Frame): Promise<Frame> {
    let found: Frame[] = [];
    await expect.poll(async () => (found = await this.dialogsOf(frame)).length).toBe(1);
    return found[0]!;
  }
  /** The one window of that kind, once it appears. */
  async frame(by: 'class' | 'name', pattern: string): Promise<Frame> {
    let found: Frame[] = [];
    await expect.poll(async () => (found = await this.frames(by, pattern)).length).toBe(1);
    return found[0]!;
  }

  /** Presses keys by their X names, one after another: `ctrl+k`, `Return`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.run('xdotool', 'key', '--delay', '20', ...keys);
  }
  async type(text: string): Promise<void> {
    await this.run('xdotool', 'type', '--delay', '20', text);
  }
  async click(x: number, y: number): Promise<void> {
    await this.run('xdotool', 'mousemove', '--sync', String(x), String(y), 'click', '1');
  }

  /** Saves a screenshot of the whole display. */
  async picture(path: string): Promise<void> {
    await mkdir(resolve(path, '..'), { recursive: true });
    await this.run('import', '-window', 'root', path);
  }
  /** The pixels of an area, one number each: the X server stores its screen in a file (format XWD). */
  async pixels({ x, y, width, height }: Area): Promise<Uint32Array> {
    const screen = await readFile(join(this.home, 'Xvfb_screen0'));
    const [headerSize, perLine, colours] = [
      screen.readUInt32BE(0),
      screen.readUInt32BE(48),
      screen.readUInt32BE(76),
    ];
    const start = headerSize + colours * 12;
    const pixels = new Uint32Array(width * height);
    // Outside the screen is black.
    const [across, down] = [perLine / 4, Math.floor((screen.length - start) / perLine)];
    for (let line = Math.max(0, -y); line < Math.min(height, down - y); line++) {
      const from = start + (y + line) * perLine + x * 4;
      for (let at = Math.max(0, -x); at < Math.min(width, across - x); at++)
        pixels[line * width + at] = screen.readUInt32LE(from + at * 4);
    }
    return pixels;
  }
  /** The number of colours in an area: an empty window has one, a drawn one hundreds. */
  async colours(area: Area): Promise<number> {
    return new Set(await this.pixels(area)).size;
  }
  /** Resolves when the area was unchanged for some frames, apart from what ticks: pending drawing is done. */
  async still(area: Area, forMs = STILL_MS, effect = PAGE_EFFECT): Promise<Uint32Array> {
    let shown = await this.pixels(area);
    let since = performance.now();
    await expect
      .poll(
        async () => {
          const now = await this.pixels(area);
          if (differ(now, shown, effect)) since = performance.now();
          shown = now;
          return performance.now() - since;
        },
        { intervals: [STILL_MS / 2] },
      )
      .toBeGreaterThan(forMs);
    return shown;
  }
  /** Resolves when a dialog has the keyboard focus and is drawn: a key pressed before is lost. */
  async ready(dialog: Frame): Promise<void> {
    const area = await dialog.area();
    await expect
      .poll(async () => ((await dialog.isActive()) ? this.colours(area) : 0))
      .toBeGreaterThan(EMPTY_COLOURS);
    await this.still(area, STILL_MS, ANY_EFFECT);
  }
  /** Does something that changes this share of the area; resolves when it has changed and come to rest. */
  async after(
    area: Area,
    act: () => Promise<unknown>,
    effect = PAGE_EFFECT,
    againMs = Infinity,
  ): Promise<void> {
    const before = await this.still(area, STILL_MS, effect);
    await act();
    let actedAt = performance.now();
    await expect
      .poll(async () => {
        if (differ(await this.pixels(area), before, effect)) return true;
        if (performance.now() - actedAt > againMs) {
          actedAt = performance.now();
          await act();
        }
        return false;
      })
      .toBe(true);
    await this.still(area, STILL_MS, effect);
  }
  /** The text on the clipboard. */
  clipboard(): Promise<string> {
    return this.run('xclip', '-selection', 'clipboard', '-o');
  }

  async close(): Promise<void> {
    for (const program of this.#programs.toReversed()) await program.end();
    for (const end of this.#ends.toReversed()) await end();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface Fixtures {
  /** The display's size in pixels; `test.use({ displaySize: '3000x1900' })`. */
  readonly displaySize: string;
  readonly desktop: Desktop;
  readonly profile: string;
  readonly practice: Practice;
}

export const test = base.extend<Fixtures>({
  displaySize: ['1600x1000', { option: true }],
  desktop: async ({ displaySize }, use, info) => {
    const desktop = await Desktop.open(displaySize);
    await use(desktop);
    // A screenshot of the failure helps more than any log.
    if (info.status !== info.expectedStatus) await desktop.picture(info.outputPath('display.png'));
    await desktop.close();
  },
  // In the desktop's own folder, which is removed only after its programs have ended: they write to the profile.
  profile: async ({ desktop }, use) => {
    await use(join(desktop.home, 'profile'));
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  practice: async ({}, use) => {
    const practice = await startPractice({ seed: 7 });
    await use(practice);
    await practice.stop();
  },
});

export interface Opened {
  readonly app: Program;
  readonly frame: Frame;
  readonly area: Area;
}
/** Starts the app; resolves when its window is shown and drawn. */
export async function opened(desktop: Desktop, start: Start): Promise<Opened> {
  // The window of a program that has just ended may remain for a moment.
  await expect.poll(async () => (await desktop.frames('class', '^ballast$')).length).toBe(0);
  const app = desktop.start(start);
  const frame = await desktop.frame('class', '^ballast$');
  const area = await drawn(desktop, frame);
  return { app, frame, area };
}
/** The place of a window, once it no longer moves and its page is drawn. */
export async function drawn(desktop: Desktop, frame: Frame): Promise<Area> {
  let area = await frame.area();
  await expect
    .poll(async () => {
      const before = area;
      const colours = await desktop.colours(pageOf(area));
      area = await frame.area();
      return isDeepStrictEqual(before, area) ? colours : 0;
    })
    .toBeGreaterThan(200);
  await desktop.still(pageOf(area));
  return area;
}

/** The part of a standard-size window that does not tick: without the top bar and the status bar. */
export const pageOf = (area: Area): Area => ({ ...area, y: area.y + 60, height: area.height - 120 });

/** Presses again, as a user would, until a number is `wanted`: a busy machine misses a key, or is not ready for it. */
export async function pressUntil(
  press: () => Promise<void>,
  read: () => Promise<number>,
  wanted: number,
): Promise<void> {
  await expect(async () => {
    await press();
    await expect.poll(read, { timeout: AGAIN_MS }).toBe(wanted);
  }).toPass();
}

/**
 * Opens or closes a sheet over the page; resolves when it has come to rest. `againMs`: acts again when nothing has changed
 * for so long.
 */
export async function afterSheet(
  desktop: Desktop,
  area: Area,
  act: () => Promise<unknown>,
  againMs?: number,
): Promise<void> {
  // Of the whole page only the rail changes by nothing but the shade of a sheet.
  await desktop.after({ ...pageOf(area), width: 60 }, act, 0.5, againMs);
  await desktop.still(pageOf(area));
}

/** The export panel's button in a standard-size window. */
const EXPORT_BUTTON = { x: 1262, y: 849 };

/** Opens the export panel of Trades. */
export async function openExport(desktop: Desktop, area: Area): Promise<void> {
  await desktop.after(pageOf(area), () => desktop.press('ctrl+4'));
  await desktop.after(pageOf(area), () => desktop.press('ctrl+e'));
}
/**
 * Clicks the panel's button, again if it was still off (trades being counted); resolves when the dialog is ready. Its key
 * opens the panel, again too: a screen that was still loading had no keys.
 */
export async function openSaveDialog(
  desktop: Desktop,
  area: Area,
  by: 'class' | 'name' = 'class',
  pattern = '^zenity$',
): Promise<Frame> {
  await pressUntil(
    async () => {
      await desktop.press('ctrl+e');
      await desktop.click(area.x + EXPORT_BUTTON.x, area.y + EXPORT_BUTTON.y);
    },
    async () => (await desktop.frames(by, pattern)).length,
    1,
  );
  const dialog = await desktop.frame(by, pattern);
  await desktop.ready(dialog);
  return dialog;
}

/** Number of orders the exchange has received. */
export const ordersReceived = async (practice: Practice): Promise<number> =>
  (await received(practice)).order ?? 0;

export const SYMBOL = 'SOL-USDT-M';

/** Types a command into the palette, like a user who knows no other key. */
export async function typeCommand(desktop: Desktop, area: Area, text: string): Promise<void> {
  await afterSheet(desktop, area, () => desktop.press('ctrl+k'));
  await desktop.type(text);
  await desktop.still(pageOf(area));
}
/** Selects the contract by the palette; the ticket then has the focus. */
async function choose(desktop: Desktop, area: Area): Promise<void> {
  await typeCommand(desktop, area, SYMBOL);
  await afterSheet(desktop, area, () => desktop.press('Return'));
}
/** Sends from the open review, and returns to the window behind it. */
export async function sendReview(desktop: Desktop, area: Area, practice: Practice): Promise<void> {
  const before = await ordersReceived(practice);
  // A sheet that sends or has sent ignores it.
  await pressUntil(
    () => desktop.press('ctrl+Return'),
    () => ordersReceived(practice),
    before + 1,
  );
  await desktop.still(pageOf(area), QUIET_MS);
  // Again, as a user would: its order may have come to rest just before, a change too small to wait for.
  await afterSheet(desktop, area, () => desktop.press('Return'), AGAIN_MS);
}
export async function sendLimitOrder(desktop: Desktop, area: Area, practice: Practice): Promise<void> {
  await choose(desktop, area);
  // Review moves the focus to what is missing: first the price, then the size.
  await desktop.press('b', 'l', 'F9');
  await desktop.type('138.50');
  await desktop.press('F9');
  await desktop.type('1.5');
  await desktop.still(pageOf(area));
  await afterSheet(desktop, area, () => desktop.press('F9'));
  await sendReview(desktop, area, practice);
}
export async function sendMarketOrder(desktop: Desktop, area: Area, practice: Practice): Promise<void> {
  await choose(desktop, area);
  await desktop.press('b', 'm', 'F9');
  await desktop.type('8');
  await desktop.still(pageOf(area));
  await afterSheet(desktop, area, () => desktop.press('F9'));
  await sendReview(desktop, area, practice);
}

export const jsonOf = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;
export { expect };
