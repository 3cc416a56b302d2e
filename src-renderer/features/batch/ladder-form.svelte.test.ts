import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
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
