import { describe, expect, it } from 'vitest';
import { actionOf, pressed } from './shortcuts.ts';

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  actionOf({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('keys of the window', () => {
  it('are those of the design language, with Ctrl or Cmd', () => {
    expect(press('F2')).toEqual({ do: 'ticket' });
    expect(press('k', { ctrlKey: true })).toEqual({ do: 'palette' });
    expect(press('L', { metaKey: true })).toEqual({ do: 'lock' });
    expect(press('3', { ctrlKey: true })).toEqual({ do: 'screen', index: 2 });
  });
  it('zoom, hide amounts and list the shortcuts, wherever the keyboard has these characters', () => {
    expect(press('+', { ctrlKey: true, shiftKey: true })).toEqual({ do: 'zoom', step: 'in' });
    expect(press('=', { ctrlKey: true })).toEqual({ do: 'zoom', step: 'in' });
    expect(press('-', { metaKey: true })).toEqual({ do: 'zoom', step: 'out' });
    expect(press('0', { ctrlKey: true })).toEqual({ do: 'zoom', step: 'reset' });
    expect(press('H', { ctrlKey: true, shiftKey: true })).toEqual({ do: 'privacy' });
    expect(press('?', { shiftKey: true })).toEqual({ do: 'shortcuts' });
    expect([press('-'), press('0'), press('H', { shiftKey: true })]).toEqual([null, null, null]);
  });
  it('are found by their place on keyboards without Latin letters, and without digits', () => {
    // Russian, Arabic, Thai; the Arabic letter is two.
    expect(press('л', { ctrlKey: true, code: 'KeyK' })).toEqual({ do: 'palette' });
    expect(press('م', { ctrlKey: true, code: 'KeyL' })).toEqual({ do: 'lock' });
    expect(press('็', { ctrlKey: true, shiftKey: true, code: 'KeyH' })).toEqual({ do: 'privacy' });
    expect(press('لا', { ctrlKey: true, code: 'KeyB' })).toBeNull();
    // Latin letters are where the layout has them: K of Dvorak is at the place of V.
    expect(press('k', { ctrlKey: true, code: 'KeyV' })).toEqual({ do: 'palette' });
    expect(press('t', { ctrlKey: true, code: 'KeyK' })).toBeNull();
    // French, where 6 is a minus and digits need Shift; Thai, where 3 is a minus.
    expect(press('&', { ctrlKey: true, code: 'Digit1' })).toEqual({ do: 'screen', index: 0 });
    expect(press('-', { ctrlKey: true, code: 'Digit6' })).toEqual({ do: 'screen', index: 5 });
    expect(press('-', { ctrlKey: true, code: 'Digit3' })).toEqual({ do: 'screen', index: 2 });
    expect(press('à', { metaKey: true, code: 'Digit0' })).toEqual({ do: 'zoom', step: 'reset' });
    expect(press('=', { ctrlKey: true, shiftKey: true, code: 'Digit0' })).toEqual({ do: 'zoom', step: 'in' });
  });
  it('leave everything else to the screen: plain letters, other digits, more modifiers', () => {
    expect([press('k'), press('1'), press('8', { ctrlKey: true })]).toEqual([null, null, null]);
    expect([press('k', { ctrlKey: true, shiftKey: true }), press('F2', { altKey: true })]).toEqual([
      null,
      null,
    ]);
    expect(press('', { ctrlKey: true })).toBeNull();
    expect(press('12', { ctrlKey: true })).toBeNull();
  });
});

describe('a key in the window', () => {
  const key = (name: string, held: Partial<KeyboardEvent> = {}) => ({
    key: name,
    code: '',
    ctrlKey: true,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    ...held,
  });
  const f2 = key('F2', { ctrlKey: false });
  const hide = key('H', { shiftKey: true });

  it('acts once and is kept from the native menu', () => {
    const context = { sheet: false, typing: false };
    expect(pressed(key('k'), context)).toEqual({ handled: true, action: { do: 'palette' } });
    expect(pressed(f2, context)).toEqual({ handled: true, action: { do: 'ticket' } });
    expect(pressed(key('k', { repeat: true }), context)).toEqual({ handled: true, action: null });
    expect(pressed({ ...hide, repeat: true }, context)).toEqual({ handled: true, action: null });
    expect(pressed(key('+', { repeat: true }), context)).toMatchObject({ action: { do: 'zoom' } });
    expect(pressed(key('x'), context)).toEqual({ handled: false, action: null });
  });

  it('does nothing behind a sheet, and the native menu does nothing either', () => {
    const context = { sheet: true, typing: false };
    for (const one of [key('k'), f2, key('3')])
      expect(pressed(one, context)).toEqual({ handled: true, action: null });
    expect(pressed(hide, context)).toEqual({ handled: true, action: { do: 'privacy' } });
    expect(pressed(key('l'), context)).toEqual({ handled: true, action: { do: 'lock' } });
    expect(pressed(key('?', { ctrlKey: false }), context)).toEqual({ handled: false, action: null });
  });

  it('selects all of a text, and nothing outside one', () => {
    for (const sheet of [false, true]) {
      expect(pressed(key('a'), { sheet, typing: true })).toEqual({ handled: false, action: null });
      expect(pressed(key('A'), { sheet, typing: false })).toEqual({ handled: true, action: null });
    }
    expect(pressed(key('a', { ctrlKey: false }), { sheet: false, typing: false }).handled).toBe(false);
  });

  it('is left alone if it is a question mark that may be typed', () => {
    const mark = key('?', { ctrlKey: false });
    expect(pressed(mark, { sheet: false, typing: true })).toEqual({ handled: false, action: null });
    expect(pressed(mark, { sheet: false, typing: false })).toEqual({
      handled: true,
      action: { do: 'shortcuts' },
    });
  });
});
