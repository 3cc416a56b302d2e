import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ImportForm from './ImportForm.svelte';

const HEADER = 'symbolId,side,type,quantity,price\n';
const ROW = 'BTC-USDT-M,BUY,LIMIT,0.1,96000\n';

async function shown() {
  const { app } = await fixture();
  render(InApp, { app, component: ImportForm, given: { onnext: () => undefined } });
  const area = screen.getByTestId<HTMLTextAreaElement>('batch-paste');
  const paste = (text: string): Promise<boolean> =>
    fireEvent.paste(area, { clipboardData: { getData: () => text } });
  return { draft: app.batch.draft, area, paste };
}

it('keeps rows that could not be imported, to be corrected, and no others', async () => {
  const { draft, area, paste } = await shown();
  const broken = `${HEADER}${ROW}"BTC-USDT-M,BUY`;
  await paste(broken);
  expect(screen.getByTestId('import-fault').textContent).toContain('Line 3');
  expect(area.value).toBe(broken);
  await fireEvent.input(area, { target: { value: `${HEADER}${ROW}` } });
  await fireEvent.click(screen.getByText('Import the text'));
  expect(draft.groups[0]?.group.rows).toHaveLength(1);
  expect(area.value).toBe('');
});

it('takes what is pasted beside other text for a part of it', async () => {
  const { draft, area, paste } = await shown();
  await fireEvent.input(area, { target: { value: HEADER } });
  // The browser inserts it.
  expect(await paste(ROW)).toBe(true);
  expect(draft.importFault).toBeNull();
  expect(area.value).toBe(HEADER);
});
