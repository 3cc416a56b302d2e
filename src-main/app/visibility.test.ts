import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Visibility } from './visibility.ts';

it.each([
  ['hide', 'show'],
  ['minimize', 'restore'],
  ['minimize', 'enter-full-screen'],
  ['minimize', 'focus'],
] as const)('is hidden after %s, until %s', (hide, show) => {
  const window = new EventEmitter();
  const visibility = new Visibility();
  let again = 0;
  visibility.follow(window, () => again++);
  window.emit('show');
  window.emit('enter-full-screen');
  expect([visibility.isHidden(), again]).toEqual([false, 0]);
  window.emit(hide);
  expect([visibility.isHidden(), again]).toEqual([true, 0]);
  window.emit(show);
  expect([visibility.isHidden(), again]).toEqual([false, 1]);
});
