import { describe, expect, it } from 'vitest';
import { actionOf } from './shortcuts.ts';

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  actionOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('keys of the window', () => {
  it('are those of the design language, with Ctrl or Cmd', () => {
    expect(press('F2')).toEqual({ do: 'ticket' });
    expect(press('k', { ctrlKey: true })).toEqual({ do: 'palette' });
    expect(press('L', { metaKey: true })).toEqual({ do: 'lock' });
    expect(press('3', { ctrlKey: true })).toEqual({ do: 'screen', index: 2 });
  });
  it('zoom, hide amounts and list the keys, wherever the keyboard has the signs', () => {
    expect(press('+', { ctrlKey: true, shiftKey: true })).toEqual({ do: 'zoom', step: 'in' });
    expect(press('=', { ctrlKey: true })).toEqual({ do: 'zoom', step: 'in' });
    expect(press('-', { metaKey: true })).toEqual({ do: 'zoom', step: 'out' });
    expect(press('0', { ctrlKey: true })).toEqual({ do: 'zoom', step: 'reset' });
    expect(press('H', { ctrlKey: true, shiftKey: true })).toEqual({ do: 'privacy' });
    expect(press('?', { shiftKey: true })).toEqual({ do: 'shortcuts' });
    expect([press('-'), press('0'), press('H', { shiftKey: true })]).toEqual([null, null, null]);
  });
  it('leave everything else to the screen: plain letters, other digits, more modifiers', () => {
    expect([press('k'), press('1'), press('7', { ctrlKey: true })]).toEqual([null, null, null]);
    expect([press('k', { ctrlKey: true, shiftKey: true }), press('F2', { altKey: true })]).toEqual([
      null,
      null,
    ]);
    expect(press('', { ctrlKey: true })).toBeNull();
    expect(press('12', { ctrlKey: true })).toBeNull();
  });
});
