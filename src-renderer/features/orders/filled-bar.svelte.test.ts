import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import FilledBar from './FilledBar.svelte';
import { filledShare } from './open-orders.ts';

it('displays a share of more than 40 digits', () => {
  const share = filledShare({ tradeQuantity: '5'.repeat(40), totalQuantity: '0.001' });
  const { container } = render(FilledBar, { share });
  expect(container.textContent).toContain('%');
});
