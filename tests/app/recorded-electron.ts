/** Stands for Electron in tests of the configuration: records what the app passes to it, and does nothing. */
import type { Result } from '../../src-shared/ipc/failures.ts';

type Listener = (...values: unknown[]) => unknown;
type Listeners = Map<string, Listener>;
type Channel = (event: unknown, input: unknown) => Promise<Result<unknown>>;

interface WindowGiven {
  readonly webPreferences?: Readonly<Record<string, unknown>>;
  readonly useContentSize?: boolean;
}
const windows: WindowGiven[] = [];
const served: ((request: Request) => Promise<Response>)[] = [];
const pushed = new Map<string, Set<Listener>>();
const session = {
  request: null as ((page: unknown, name: string, decide: (result: boolean) => void) => void) | null,
  check: null as ((page: unknown, name: string) => boolean) | null,
  device: null as (() => boolean) | null,
  /** Languages whose dictionaries Electron would fetch; null until the app sets them. */
  spelling: null as readonly string[] | null,
  checksSpelling: true,
  listeners: new Map() as Listeners,
};
const contents = {
  listeners: new Map() as Listeners,
  open: null as ((details: { url: string }) => unknown) | null,
  webRtc: '',
  setWebRTCIPHandlingPolicy(policy: string) {
    contents.webRtc = policy;
  },
  on(name: string, listener: Listener) {
    contents.listeners.set(name, listener);
  },
  setWindowOpenHandler(handler: (details: { url: string }) => unknown) {
    contents.open = handler;
  },
};

export const recorded = {
  loaded: [] as string[],
  opened: [] as string[],
  schemes: [] as unknown[],
  exposed: [] as [string, object][],
  channels: new Map<string, Channel>(),
  session,
  contents,
  /** The preferences of the one window. Throws when there is not exactly one. */
  preferences(): Readonly<Record<string, unknown>> {
    const [window, more] = windows;
    if (window?.webPreferences === undefined || more !== undefined) throw new Error('not one window');
    return window.webPreferences;
  },
  /** Reports whether a listener of the event prevents it. */
  prevented(listeners: Listeners, name: string, url = ''): boolean {
    let prevented = false;
    listeners.get(name)?.({ url, preventDefault: () => (prevented = true) });
    return prevented;
  },
  ask(address: string): Promise<Response> {
    const handler = served.at(-1);
    if (handler === undefined) throw new Error('no scheme is served');
    return handler(new Request(address));
  },
  push(channel: string, ...values: unknown[]): void {
    for (const listener of pushed.get(channel) ?? []) listener(...values);
  },
  clear(): void {
    windows.length = 0;
    recorded.loaded.length = 0;
    recorded.opened.length = 0;
    recorded.schemes.length = 0;
    recorded.channels.clear();
    contents.listeners.clear();
  },
};

export const electron = {
  BrowserWindow: class {
    constructor(options: WindowGiven) {
      windows.push(options);
    }
    once(): void {
      // Never ready to show.
    }
    setBounds(): void {
      // The place is not recorded.
    }
    loadURL(url: string): Promise<void> {
      recorded.loaded.push(url);
      return Promise.resolve();
    }
  },
  session: {
    defaultSession: {
      setPermissionRequestHandler: (handler: typeof session.request) => (session.request = handler),
      setPermissionCheckHandler: (handler: typeof session.check) => (session.check = handler),
      setDevicePermissionHandler: (handler: typeof session.device) => (session.device = handler),
      setSpellCheckerLanguages: (languages: readonly string[]) => (session.spelling = languages),
      setSpellCheckerEnabled: (enabled: boolean) => (session.checksSpelling = enabled),
      on: (name: string, listener: Listener) => session.listeners.set(name, listener),
    },
  },
  protocol: {
    registerSchemesAsPrivileged: (schemes: unknown[]) => recorded.schemes.push(...schemes),
    handle: (_scheme: string, handler: (typeof served)[number]) => served.push(handler),
  },
  shell: {
    openExternal(url: string): Promise<void> {
      recorded.opened.push(url);
      return Promise.resolve();
    },
  },
  ipcMain: {
    handle: (channel: string, listener: Channel) => recorded.channels.set(channel, listener),
  },
  ipcRenderer: {
    invoke: () => Promise.resolve(null),
    on: (channel: string, listener: Listener) =>
      pushed.set(channel, new Set([...(pushed.get(channel) ?? []), listener])),
    off: (channel: string, listener: Listener) => pushed.get(channel)?.delete(listener),
  },
  contextBridge: {
    exposeInMainWorld: (name: string, bridge: object) => recorded.exposed.push([name, bridge]),
  },
};
