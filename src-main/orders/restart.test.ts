/** Kills at every step of a send, on a disk that loses unsynced data: every sent order has its record. */
import { describe, expect, it } from 'vitest';
import { openJournal } from './journal/journal.ts';
import { HEAD } from '../../tests/orders/memory-file.ts';
import {
  lossyOrderService,
  runLossyDiskTest,
  LossyFile,
  lossyOutcomes,
} from '../../tests/orders/lossy-disk.ts';
import { reviewMarket } from '../../tests/orders/simple-order-service.ts';

describe('a kill', () => {
  const kills = [1, 2, 3, 4, 5, 6, 7].flatMap((at) => [0, 5, 400, 1_000_000].map((torn) => ({ at, torn })));

  it.each(kills)('at step $at with $torn characters on the disk', async ({ at, torn }) => {
    for (const outcome of lossyOutcomes) {
      const sent: string[] = [];
      const file = new LossyFile('', at, torn);
      const { orders } = await lossyOrderService(file, () => outcome, sent);
      const review = reviewMarket(orders);
      const answered: string[] = [];
      void orders.send(review.token, null).then((one) => answered.push(one.ok ? one.data.state : ''));
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();

      const resent: string[] = [];
      const kept = new LossyFile(file.disk, Infinity, 0);
      const again = await lossyOrderService(kept, () => outcome, resent);
      await again.orders.recover();
      const records = again.journal.list('practice');
      // Everything sent has a record with its bytes, and nothing is sent twice.
      expect(records.length).toBeGreaterThanOrEqual(sent.length);
      for (const body of sent) expect(records.map((one) => one.body)).toContain(body);
      expect(resent).toEqual([]);
      for (const { state } of records) expect(['unknown', outcome.outcome]).toContain(state);
      // The reported state equals the file's.
      for (const state of answered) expect(records[0]?.state).toBe(state);
      // The file continues after the torn line.
      await again.journal.write('next', [{ event: 'record', text: 'record', at: 2_000, mono: 1 }], HEAD);
      const last = await openJournal(kept);
      expect(last.get('next')?.state).toBe('sending');
    }
  });

  it('of a batch loses no row of a sent call', async () => {
    const figures = await runLossyDiskTest(300, 5);
    expect(figures).toMatchObject({ kills: 300, sentWithoutRecord: 0, resent: 0, falseVerdicts: 0 });
    expect(figures.sent).toBeGreaterThan(300);
  });
});
