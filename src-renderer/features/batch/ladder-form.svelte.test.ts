import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Batch from './Batch.svelte';
import LadderForm from './LadderForm.svelte';
import ReviewTable from './ReviewTable.svelte';

it('says at the form and at the rows that the rows do not follow a change', async () => {
  const { app } = await fixture('live');
  Object.assign(app.batch.ladder, {
    ...{ symbolId: 'BTC-USDT-M', count: '2', from: '96000', to: '95000', total: '1' },
  });
  render(InApp, { app, component: LadderForm });
  render(InApp, { app, component: ReviewTable });
  const said = (): unknown[] => [
    screen.queryByText(/^The rows are still those of the earlier ladder/) !== null,
    screen.queryByText(/not updated since the ladder was changed/) !== null,
  ];
  await fireEvent.click(screen.getByTestId('ladder-add'));
  expect([app.batch.draft.count, ...said()]).toEqual([2, false, false]);
  await fireEvent.input(screen.getByLabelText('Total size'), { target: { value: '2' } });
  expect(said()).toEqual([true, true]);
  await fireEvent.click(screen.getByTestId('ladder-add'));
  expect(said()).toEqual([false, false]);
});

it('names the contract it takes from the ticket, and asks before leaving out a large part', async () => {
  const { app } = await fixture('live');
  app.ticket.choose('BTC-USD-M');
  render(InApp, { app, component: Batch });
  const contract = (): string => screen.getByTestId('ladder-contract').textContent;
  const type = (label: string, value: string): Promise<boolean> =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
  expect(contract()).toContain('the ticket’s contract');
  expect(screen.getByLabelText<HTMLInputElement>('Total size').value).toBe('');
  app.batch.ladder.choose('BTC-USDT-M');
  flushSync();
  expect(contract()).not.toContain('ticket');
  for (const [label, value] of [
    ['From', '96000'],
    ['To', '95000'],
    ['Orders', '3'],
    ['Total size', '0.011'],
  ] as const)
    await type(label, value);
  expect(screen.getByTestId('ladder-remainder').textContent).toContain('18.2');
  const add = screen.getByTestId<HTMLButtonElement>('ladder-add');
  expect(add.disabled).toBe(true);
  await fireEvent.click(screen.getByLabelText('Add it to the last row'));
  expect(screen.queryByTestId('ladder-remainder')).toBeNull();
  expect(add.textContent).toMatch(/Add\s+3 rows\s+of BTC-USDT-M/);
  await fireEvent.click(add);
  expect(app.batch.draft.count).toBe(3);
});

it('takes a take profit and a stop loss for each row, in percent too, once they are wanted', async () => {
  const { app, accountIs } = await fixture('live');
  accountIs(account([position({ symbolId: 'BTC-USDT-M', markPrice: '96000.0' })]));
  app.batch.ladder.choose('BTC-USDT-M');
  render(InApp, { app, component: LadderForm });
  expect(screen.queryByLabelText('TP')).toBeNull();
  await fireEvent.click(screen.getByLabelText('Take profit / stop loss'));
  await fireEvent.input(screen.getByLabelText('TP'), { target: { value: '5%' } });
  await fireEvent.input(screen.getByLabelText('SL'), { target: { value: '5%' } });
  expect([app.batch.ladder.tp, app.batch.ladder.sl]).toEqual(['100800.0', '91200.0']);
  expect(screen.getByLabelText<HTMLSelectElement>('Trigger').value).toBe('MARK_PRICE');
  await fireEvent.input(screen.getByLabelText('SL'), { target: { value: '1.2.3' } });
  expect(screen.queryByText(/^Stop loss “1\.2\.3”/)).not.toBeNull();
});
