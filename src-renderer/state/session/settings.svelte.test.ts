import { describe, expect, it } from 'vitest';
import type { Calls } from '../../bridge.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import type { Settings as Values } from '../../../src-shared/ipc/settings.ts';
import { Settings } from './settings.svelte.ts';

/** Returns settings whose main process replies when the test says so. */
function slow() {
  const replies: ((result: { ok: true; data: Values } | { ok: false; failure: never }) => void)[] = [];
  const sent: unknown[] = [];
  const call = (_name: string, part: unknown): unknown => {
    sent.push(part);
    return new Promise((resolve) => replies.push(resolve));
  };
  return { settings: new Settings({ call } as unknown as Calls), replies, sent };
}
const shut = { ...DEFAULT_SETTINGS, ticketOpen: false };
const open = { ...DEFAULT_SETTINGS, ticketOpen: true };

describe('settings', () => {
  it('ignores the echo of an earlier change', async () => {
    const { settings, replies } = slow();
    const first = settings.change({ ticketOpen: false });
    const second = settings.change({ ticketOpen: true });
    replies[0]?.({ ok: true, data: shut });
    settings.take(shut);
    await first;
    expect(settings.value.ticketOpen).toBe(true);
    replies[1]?.({ ok: true, data: open });
    await second;
    expect(settings.value.ticketOpen).toBe(true);
  });
  it('sends what was changed alone: nothing that was refused before, and no defaults before they are loaded', async () => {
    const { settings, replies, sent } = slow();
    const changes = [settings.change({ privacy: true }), settings.change({ ticketOpen: false })];
    replies[0]?.({ ok: false, failure: undefined as never });
    replies[1]?.({ ok: true, data: shut });
    await Promise.all(changes);
    expect(sent).toEqual([{ privacy: true }, { ticketOpen: false }]);
    expect(settings.value).toEqual(shut);
  });
  it('reverts what the main process refused', async () => {
    const { settings, replies } = slow();
    const change = settings.change({ ticketOpen: !DEFAULT_SETTINGS.ticketOpen });
    expect(settings.value.ticketOpen).not.toBe(DEFAULT_SETTINGS.ticketOpen);
    replies[0]?.({ ok: false, failure: undefined as never });
    await change;
    expect(settings.value).toEqual(DEFAULT_SETTINGS);
  });
  it('keeps amounts hidden that the main process hides without having saved it', async () => {
    const { settings, replies } = slow();
    const change = settings.change({ privacy: true });
    settings.take({ ...DEFAULT_SETTINGS, privacy: true });
    replies[0]?.({ ok: false, failure: undefined as never });
    await change;
    expect(settings.value.privacy).toBe(true);
  });
});
