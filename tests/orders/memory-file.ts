/** A journal file in memory, and an intent to write. */
import type { JournalFile } from '../../src-main/orders/journal/journal.ts';
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
