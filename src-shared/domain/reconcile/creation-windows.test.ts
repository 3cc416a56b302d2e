import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AcceptedOrder, clockReadings, creationWindows } from './creation-windows.ts';

const SENT = 1_763_000_000_000;
const TIMEOUT = 30_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const offset = fc.integer({ min: -5 * HOUR, max: 5 * HOUR });
const delay = fc.integer({ min: 0, max: TIMEOUT });
const holds = (windows: ReturnType<typeof creationWindows>, at: number): boolean =>
  windows.some(({ from, to }) => from <= at && at <= to);

it('begin 6 s before the send and end 121 s after its deadline', () => {
  const windows = creationWindows(SENT, TIMEOUT, [HOUR]);
  expect(windows).toEqual([{ from: SENT + HOUR - 6_000, to: SENT + HOUR + TIMEOUT + 121_000 }]);
});

it('have the time of an order wherever the exchange’s clock was, by an accepted order and the header', () => {
  fc.assert(
    fc.property(offset, offset, offset, delay, delay, (clock, header, since, before, now) => {
      // Both clocks were set by `since` since the accepted order was sent.
      const accepted = { sentAt: SENT - HOUR, headerMs: header, createdAt: SENT - HOUR + clock + before };
      const windows = creationWindows(SENT, TIMEOUT, clockReadings(header + since, accepted, TIMEOUT));
      expect(holds(windows, SENT + clock + since + now)).toBe(true);
      // Or only the header's clock was.
      expect(holds(windows, SENT + clock + now)).toBe(true);
      const bounds = windows.flatMap(({ from, to }) => [from, to]);
      expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    }),
  );
});

it('have only the clock of an accepted order where the header stayed as it was, to two minutes', () => {
  const accepted: AcceptedOrder = { sentAt: SENT, headerMs: 5_000, createdAt: SENT + HOUR };
  const atHere = (headerMs: number | null, known = accepted) =>
    holds(creationWindows(SENT, TIMEOUT, clockReadings(headerMs, known, TIMEOUT)), SENT);
  expect([5_000, 5_000 + 2 * MINUTE, 5_000 - 2 * MINUTE].map((ms) => atHere(ms))).toEqual([
    false,
    false,
    false,
  ]);
  expect([5_001 + 2 * MINUTE, 4_999 - 2 * MINUTE, null].map((ms) => atHere(ms))).toEqual([true, true, true]);
  const without = { ...accepted, headerMs: null };
  expect([atHere(5_000, without), atHere(0, without)]).toEqual([true, true]);
});

it('have this computer’s clock and the header’s without an accepted order, and all between if they are near', () => {
  fc.assert(
    fc.property(offset, delay, (header, now) => {
      const windows = creationWindows(SENT, TIMEOUT, clockReadings(header, null, TIMEOUT));
      expect(holds(windows, SENT + now) && holds(windows, SENT + header + now)).toBe(true);
      if (Math.abs(header) <= 4 * MINUTE) expect(windows).toHaveLength(1);
      else expect(windows.length).toBeGreaterThan(1);
    }),
  );
  const near = (header: number) =>
    creationWindows(SENT, TIMEOUT, clockReadings(header, null, TIMEOUT)).length;
  expect([4 * MINUTE, -4 * MINUTE, 4 * MINUTE + 1, -4 * MINUTE - 1].map(near)).toEqual([1, 1, 2, 2]);
});
