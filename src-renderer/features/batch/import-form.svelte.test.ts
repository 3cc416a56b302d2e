import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { MAX_BATCH_BYTES } from '../../../src-shared/ipc/batch.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ImportForm from './ImportForm.svelte';
import ReviewTable from './ReviewTable.svelte';
import TemplateButton from './TemplateButton.svelte';

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
  await fireEvent.input(area, { target: { value: HEADER + ROW } });
  // The browser inserts it.
  expect(await paste(ROW)).toBe(true);
  expect(draft.importFault).toBeNull();
  expect(area.value).toBe(HEADER + ROW);
});

it('imports rows pasted below a typed header, and outside any field, at once', async () => {
  const { draft, area, paste } = await shown();
  const text = { clipboardData: { getData: () => HEADER + ROW + ROW } };
  await fireEvent.input(area, { target: { value: HEADER } });
  area.setSelectionRange(HEADER.length, HEADER.length);
  expect(await paste(ROW)).toBe(false);
  expect(draft.count).toBe(1);
  expect(area.value).toBe('');
  expect(await fireEvent.paste(document.body, text)).toBe(false);
  expect(draft.count).toBe(2);
  const other = document.body.appendChild(document.createElement('input'));
  expect(await fireEvent.paste(other, { clipboardData: { getData: () => HEADER + ROW } })).toBe(true);
  expect(draft.count).toBe(2);
  other.remove();
});

it('refuses a file that is not UTF-8 text by that, and reads one with a byte order mark', async () => {
  const { draft } = await shown();
  const choose = async (...bytes: Uint8Array<ArrayBuffer>[]): Promise<void> => {
    const files = [new File(bytes, 'orders.csv')];
    await fireEvent.change(screen.getByTestId('batch-file'), { target: { files } });
    await settled();
  };
  const text = HEADER + ROW;
  await choose(Uint8Array.of(0xff, 0xfe), Uint8Array.from(Buffer.from(text, 'utf16le')));
  expect(draft.importFault).toMatchObject({ name: 'orders.csv', message: 'It is not UTF-8 text.' });
  await choose(Uint8Array.of(0xef, 0xbb, 0xbf), Uint8Array.from(Buffer.from(text)));
  expect([draft.importFault, draft.count]).toEqual([null, 1]);
});

it('refuses a file that is larger than one that may be opened with Ballast', async () => {
  const { draft } = await shown();
  const files = [new File([new Uint8Array(MAX_BATCH_BYTES + 1)], 'orders.csv')];
  await fireEvent.change(screen.getByTestId('batch-file'), { target: { files } });
  await settled();
  expect(draft.importFault).toMatchObject({ name: 'orders.csv', message: 'It is larger than 2 MB.' });
});

it('names what text lacks, marks rows with an unknown column, and reads the template it saves', async () => {
  const { app, requests } = await fixture('live', { 'files.save': () => done({ path: '/home/u/t.csv' }) });
  for (const component of [ImportForm, ReviewTable, TemplateButton])
    render(InApp, { app, component: component as never, given: { onnext: () => undefined } });
  const read = async (text: string): Promise<void> => {
    await fireEvent.input(screen.getByTestId('batch-paste'), { target: { value: text } });
    await fireEvent.click(screen.getByText('Import the text'));
  };
  const rows = (): number[] => {
    const table = screen.queryByTestId('batch-rows');
    return ['tr[data-row]', 'tr.bad[data-row]'].map((each) => table?.querySelectorAll(each).length ?? 0);
  };
  await read('symbolId,side\nX,BUY');
  expect(screen.getByTestId('import-fault').textContent).toContain('Missing: type, quantity.');
  await read('symbolId,side,type,quantity,price,a,b\nBTC-USDT-M,BUY,LIMIT,0.1,96000,,');
  expect(screen.getByText(/Unknown columns “a”, “b”\. Rename them, or:/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Ignore them' })).toBeDefined();
  await read('symbolId,side,type,quantity,price,reduce_only\nBTC-USDT-M,BUY,LIMIT,0.1,96000,true');
  expect([rows(), screen.queryByText(/“reduce_only”/) !== null]).toEqual([[1, 1], true]);
  await fireEvent.click(screen.getByRole('button', { name: 'Ignore it' }));
  expect(rows()).toEqual([1, 0]);

  await fireEvent.click(screen.getByRole('button', { name: 'Save template…' }));
  await settled();
  expect(app.notices.list.at(-1)?.text).toBe('/home/u/t.csv');
  const saved = requests.find(({ name }) => name === 'files.save')?.input as { readonly data: string };
  expect(saved.data.split('\r\n')[0]).toMatch(/^symbolId,side,type,/);
  await read(saved.data);
  expect([rows()[0], screen.queryByTestId('import-fault'), screen.queryByText('Ignore it')]).toEqual([
    2,
    null,
    null,
  ]);
});
