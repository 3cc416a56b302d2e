import { describe, expect, it } from 'vitest';
import { DesktopNotifications } from './notifications.ts';

/** A system whose notifications emit the events `show` chooses. */
function desktop(show: (emit: (event: string) => void) => void, supported = true) {
  const made: Notification[] = [];
  const due: (() => void)[] = [];
  class Notification {
    static isSupported = (): boolean => supported;
    readonly listeners = new Map<string, () => void>();
    readonly options: { readonly title: string; readonly body: string; readonly silent: boolean };
    constructor(options: { readonly title: string; readonly body: string; readonly silent: boolean }) {
      this.options = options;
      made.push(this);
    }
    on(event: string, listener: () => void): void {
      this.listeners.set(event, listener);
    }
    show(): void {
      show((event) => this.listeners.get(event)?.());
    }
  }
  const timers = {
    after(_ms: number, run: () => void) {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  };
  const all = new DesktopNotifications(Notification, timers);
  let clicks = 0;
  const note = { title: 'T', body: 'B', clicked: () => void clicks++ };
  return { made, due, clicks: () => clicks, show: (body = 'B') => all.show({ ...note, body }) };
}

describe('a notification of the desktop', () => {
  it('reports shown when the system does, is silent, and handles its click', async () => {
    const one = desktop((emit) => emit('show'));
    expect(await one.show()).toBe('shown');
    one.made[0]?.listeners.get('click')?.();
    expect([one.clicks(), one.made[0]?.options.silent, one.due]).toEqual([1, true, []]);
  });
  it('reports refused when the system does, at once or later', async () => {
    expect(await desktop((emit) => emit('failed')).show()).toBe('rejected');
    expect(await desktop((emit) => queueMicrotask(() => emit('failed'))).show()).toBe('rejected');
    const throwing = desktop(() => {
      throw new Error('no bus');
    });
    expect(await throwing.show()).toBe('rejected');
  });
  it('is not answered for ever', async () => {
    const one = desktop(() => undefined);
    const asked = one.show();
    one.due[0]?.();
    expect(await asked).toBe('unanswered');
  });
  it('holds no markup, which desktops on Linux follow', async () => {
    const one = desktop((emit) => emit('show'));
    await one.show('<a href="https://evil.example">BTC-USDT-M</a> was liquidated');
    expect(one.made[0]?.options.body).toBe('‹a href="https://evil.example"›BTC-USDT-M‹/a› was liquidated');
  });
  it('is not tried where the system has none', async () => {
    const one = desktop(() => undefined, false);
    expect([await one.show(), one.made]).toEqual(['unsupported', []]);
  });
});
