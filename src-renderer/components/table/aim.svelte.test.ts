import { fireEvent } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import { aim } from './aim.ts';

it('reads no order after the press that removes its table', async () => {
  const time = new FakeTime();
  const order = { hold: vi.fn(), release: vi.fn(), press: vi.fn(), lift: vi.fn() };
  const node = document.body.appendChild(document.createElement('div'));
  const { destroy } = aim(node, { order, time });
  await fireEvent.pointerEnter(node);
  await fireEvent.pointerDown(node);
  await fireEvent.pointerUp(node);
  order.hold.mockClear();
  destroy();
  node.remove();
  time.pass(0);
  expect(order.hold).not.toHaveBeenCalled();
});
