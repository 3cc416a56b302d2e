import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { openOrderFields } from '../../../src-shared/exchange-api/open-order.ts';
import FieldList from './FieldList.svelte';

it('names the fields of an embedded record as those of the record', async () => {
  const tpSl = {
    ...{ tpPrice: '101300.0', tpExecutePrice: null, tpPriceType: '2' },
    ...{ slPrice: null, slExecutePrice: null, slPriceType: null, received: { slPrice: 'below' } },
  };
  const { app } = await fixture('live');
  const record = openOrder({ tpSl });
  const given = { table: openOrderFields, record, fields: ['tpSl'] };
  const { container } = render(InApp, { app, component: FieldList, given });
  const texts = [...container.querySelectorAll('[data-field^="tpSl."]')].map((one) =>
    one.textContent.replaceAll(/\s+/g, ' ').trim(),
  );
  expect(texts).toEqual([
    'Take-profit trigger 101,300.0',
    'Take-profit order price —',
    'Take-profit order type Market · 2',
    'Stop-loss trigger below',
    'Stop-loss order price —',
    'Stop-loss order type —',
  ]);
  expect(screen.getByText('Take-profit trigger').title).toBe('tpPrice');
});
