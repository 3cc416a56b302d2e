import { expect, it } from 'vitest';
import { openOrder, pastOrder } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import type { CellForm } from '../../components/table/columns.ts';
import { historyColumns, openOrderColumns } from './order-columns.ts';

const FORM: CellForm = { decimals: 0, hidden: false };

it('says what codes and times mean, with the received value in the title', async () => {
  const { app } = await fixture('live');
  const mode = openOrderColumns(app, {} as Parameters<typeof openOrderColumns>[1], () => new Map()).find(
    (one) => one.key === 'marginMode',
  );
  const open = { key: '1', record: openOrder({ marginMode: 'CROSSED' }) };
  expect(mode?.text?.(open, FORM)).toMatchObject({ pieces: ['Cross'], title: 'CROSSED' });
  const updated = historyColumns(app, {} as Parameters<typeof historyColumns>[1]).find(
    (one) => one.key === 'mtime',
  );
  const past = { key: '1', record: pastOrder({ mtime: Date.UTC(2026, 10, 21, 8, 30, 1) }) };
  expect(updated?.text?.(past, FORM)).toMatchObject({
    pieces: ['2026-11-21 08:30:01'],
    title: expect.stringContaining(String(past.record.mtime)) as unknown,
  });
});
