/** A journal file in memory, an intent to write, and one as recorded. */
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { JournalFile } from '../../src-main/orders/journal/journal.ts';
import { NOW } from '../domain/order-samples.ts';
import type { IntentHead } from '../../src-main/orders/journal/lines.ts';

export interface MemoryFile extends JournalFile {
  text: string;
  /** Whether the disk is full: an append fails and leaves nothing. */
  full: boolean;
}

export const memoryFile = (text = ''): MemoryFile => ({
  text,
  full: false,
  append(more) {
    if (this.full) return Promise.reject(Object.assign(new Error('the disk is full'), { code: 'ENOSPC' }));
    this.text += more;
    return Promise.resolve();
  },
  read() {
    return Promise.resolve(Buffer.from(this.text));
  },
});

export const HEAD: IntentHead = {
  connectionId: 'practice',
  connectionKind: 'practice',
  kind: 'order',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  path: '/ftapi/v1/order',
  body: '{"symbolId":"BTC-USDT-M"}',
  knownIds: [],
};

export const intentRecord = (changes: Partial<IntentRecord> = {}): IntentRecord => ({
  id: 'intent-1',
  connectionId: 'live-1',
  connectionKind: 'live',
  kind: 'order',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  path: '/ftapi/v1/order',
  body: '{}',
  state: 'accepted',
  orderId: null,
  code: null,
  createdAt: NOW,
  events: [],
  ...changes,
});
