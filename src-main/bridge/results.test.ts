import { describe, expect, it } from 'vitest';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { ARCHIVE_CLOSED } from '../archive/worker-client.ts';
import { archiveHandlers } from './archive-handlers.ts';
import { archiveHandler } from './results.ts';

const opened = (id: string, count: () => Promise<Result<number>>) => ({
  id,
  history: Promise.resolve(done({ archive: { count } })),
});
type Opened = ReturnType<typeof opened>;

/** Counts in a connection that is closed during the call, after which `next` is open. */
async function countWhileClosing(failure: Failure, next: Opened | null) {
  const asked: string[] = [];
  let current: Opened | null = opened('live', () => {
    asked.push('closing');
    current = next;
    return Promise.resolve(failed(failure));
  });
  const session = { current: () => current, opened: () => Promise.resolve(current) };
  const count = archiveHandler(session as never)(({ archive }) => {
    asked.push('call');
    return archive.count(undefined as never);
  });
  return { result: await count({ connectionId: 'live' }), asked };
}

describe('a call whose archive closes before it answers', () => {
  it('is answered by the archive of the same connection opened anew', async () => {
    const next = opened('live', () => Promise.resolve(done(7)));
    expect(await countWhileClosing(ARCHIVE_CLOSED, next)).toEqual({
      result: done(7),
      asked: ['call', 'closing', 'call'],
    });
  });

  it('fails once another connection, or none, is open', async () => {
    const notOpen = { ok: false, failure: { message: 'This connection is not open.' } };
    const other = opened('other', () => Promise.resolve(done(7)));
    expect((await countWhileClosing(ARCHIVE_CLOSED, other)).result).toMatchObject(notOpen);
    expect((await countWhileClosing(ARCHIVE_CLOSED, null)).result).toMatchObject(notOpen);
  });

  it('is not repeated after another failure', async () => {
    const unreadable: Failure = { kind: 'file', message: 'The disk is full.', next: 'Free up disk space.' };
    const next = opened('live', () => Promise.resolve(done(7)));
    expect(await countWhileClosing(unreadable, next)).toMatchObject({
      result: failed(unreadable),
      asked: ['call', 'closing'],
    });
  });
});

it('a search at the exchange that closing ends is made again by the connection opened anew', async () => {
  const client = (openOrders: () => Promise<unknown>) => ({ id: 'live', client: { openOrders } });
  const meta = { listed: 1 };
  const next = client(() => Promise.resolve({ ok: true, data: ['order'], meta }));
  let current = client(() => {
    current = next;
    return Promise.resolve(failed({ kind: 'offline', message: 'The request was cancelled.', next: '' }));
  });
  const session = { current: () => current, opened: () => Promise.resolve(current) };
  const query = archiveHandlers(session as never, undefined as never)['openOrders.query'];
  expect(await query({ connectionId: 'live', symbolId: null, orderId: null })).toMatchObject({
    data: { rows: ['order'] },
  });
});

it.each(['both', 'neither'])(
  'a search by time lists orders at its ends where the exchange lists %s',
  async (ends) => {
    const [startTime, endTime] = [1_000, 2_000];
    const at = (orderTime: number, mtime = orderTime) => ({ id: `${orderTime} ${mtime}`, orderTime, mtime });
    const orders = [at(999), at(999, 2_001), at(999, 1_500), at(1_000), at(2_000), at(2_001), at(2_002)];
    const queries: unknown[] = [];
    const client = {
      orderHistory(query: { startTime: number; endTime: number }) {
        queries.push(query);
        const isListed = ({ orderTime, mtime }: ReturnType<typeof at>): boolean =>
          [orderTime, mtime].some((time) =>
            ends === 'both'
              ? time >= query.startTime && time <= query.endTime
              : time > query.startTime && time < query.endTime,
          );
        return Promise.resolve({ ok: true, data: orders.filter(isListed), meta: { listed: 7 } });
      },
    };
    const connection = { id: 'live', client };
    const session = { current: () => connection, opened: () => Promise.resolve(connection) };
    const query = archiveHandlers(session as never, undefined as never)['history.query'];
    const found = await query({ connectionId: 'live', symbolId: null, orderId: null, startTime, endTime });
    expect(found.ok && found.data.rows.map(({ id }) => id)).toEqual(['999 1500', '1000 1000', '2000 2000']);
    await query({ connectionId: 'live', symbolId: null, orderId: '7', startTime: 0, endTime: null });
    // Never 0, which an exchange may take for none.
    expect(queries.slice(1)).toEqual([{ orderId: '7', startTime: 1 }]);
  },
);
