import { fireEvent, render, screen } from '@testing-library/svelte';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { amount, calculated, multiply, print } from '../../../src-shared/amount.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { settingsSchema } from '../../../src-shared/ipc/settings.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { Positions } from '../positions/positions.svelte.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ContractHead from './ContractHead.svelte';

async function shown() {
  const all = await fixture('practice');
  // The main process replies with what the changes it was given make of the settings.
  all.replies['settings.set'] = () => {
    const parts = all.requests.filter((one) => one.name === 'settings.set').map(({ input }) => input);
    return done(v.parse(settingsSchema, Object.assign({}, DEFAULT_SETTINGS, ...parts)));
  };
  all.app.navigation.symbol = all.app.feeds.contracts.value?.[0]?.symbolId ?? null;
  render(InApp, { app: all.app, component: ContractHead });
  const panel = screen.getByLabelText(/^Contract specs of/);
  await fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }));
  panel.hidePopover = () => undefined;
  return { ...all, symbolId: all.app.navigation.symbol ?? '' };
}
const field = (label: string): HTMLElement => screen.getByLabelText(label);

describe('the user’s contract specs', () => {
  it('replace the inferred ones, for that contract only', async () => {
    const { app, symbolId } = await shown();
    const before = app.specs.of(symbolId);
    await fireEvent.input(field('Decimals of a quantity'), { target: { value: '0' } });
    await fireEvent.input(field('Taker fee rate'), { target: { value: '0.0009' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    await expect.poll(() => app.specs.of(symbolId).feeRateTaker).toBe('0.0009');
    expect(app.specs.of(symbolId)).toEqual({ ...before, quantityDecimals: 0, feeRateTaker: '0.0009' });
    expect(app.specs.inferred(symbolId)).toEqual(before);
    expect(app.specs.of('OTHER-USDT-M').feeRateTaker).toBeNull();
  });

  it('set the multiplier that sizes and the position are valued with', async () => {
    const { app, symbolId } = await shown();
    const tier = () => new Positions(app).rows.find(({ position }) => position.symbolId === symbolId)?.tier;
    const before = tier()?.value ?? '';
    await fireEvent.input(field('Multiplier'), { target: { value: '0' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    expect(await screen.findByText(/above 0, such as 0\.001/)).toBeDefined();
    await fireEvent.input(field('Multiplier'), { target: { value: '0.1' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    await expect.poll(() => app.specs.of(symbolId).multiplier).toBe('0.1');
    expect(print(multiply(calculated(tier()?.value ?? ''), amount('10')))).toBe(print(calculated(before)));
  });

  it('are refused with a hint if they are no count or no rate', async () => {
    const { app, symbolId } = await shown();
    await fireEvent.input(field('Maker fee rate'), { target: { value: '5' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    expect(await screen.findByText(/0\.0005 for 0\.05%/)).toBeDefined();
    await fireEvent.input(field('Maker fee rate'), { target: { value: '' } });
    await fireEvent.input(field('Decimals of a price'), { target: { value: '1.5' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    expect(await screen.findByText(/whole number from 0 to 18/)).toBeDefined();
    expect(app.specs.override(symbolId)).toBeNull();
  });
});
