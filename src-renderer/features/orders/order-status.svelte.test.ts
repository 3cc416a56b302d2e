import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { pastOrder } from '../../../tests/domain/order-samples.ts';
import OrderStatus from './OrderStatus.svelte';

it('says of a code without a documented meaning that there is none', () => {
  render(OrderStatus, { order: pastOrder({ status: 'CANCELED', cancelReason: 7, source: 5 }) });
  expect(screen.getByText('Cancelled').title).toBe(
    'Cancel reason 7: the exchange API does not say what it means',
  );
  expect(screen.getByText('Source 5').title).toBe('Source 5: the exchange API does not say what it means');
});

it('explains the documented codes, with the received source in the title', () => {
  render(OrderStatus, { order: pastOrder({ status: 'CANCELED', cancelReason: 1, source: 10 }) });
  expect(screen.getByText('Cancelled').title).toBe('By the user');
  expect(screen.getByText('Reverse order').title).toBe('Source 10');
});
