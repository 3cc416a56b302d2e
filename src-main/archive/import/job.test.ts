import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { NEWEST_FIRST, NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { readRecord } from '../../../src-shared/exchange-api/fields.ts';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { openArchive, type Archive } from '../archive.ts';
import { exportSource, type ArchiveExport, type SourcePorts } from '../export/source.ts';
import { Jobs } from '../lib/jobs.ts';
import { importFile, type ImportStep } from './job.ts';
import {
  distinctTrades,
  FULL_EXPORT,
  openHere,
  START,
  temporaryFolder,
  tradeNumber,
  trades,
} from '../../../tests/archive/trades.ts';
import { orders } from '../../../tests/archive/orders.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const at = (name: string): string => join(folder.path, name);
let made = 0;

const open = async (): Promise<Archive> =>
  dataOf(
    await openArchive({
      file: at(`${++made}.sqlite`),
      connectionId: 'one',
      clock: { now: () => START },
      progressIntervalMs: 0,
    }),
  );

async function filled(list: readonly Trade[]): Promise<Archive> {
  const archive = await open();
  dataOf(await archive.insertTrades(list, null));
  return archive;
}
async function exported(archive: Archive, query: ArchiveExport = FULL_EXPORT): Promise<string> {
  const path = at(`${++made}.csv`);
  const end = await archive.exportCsv(query, path, () => undefined).done;
  expect(end.failure).toBeNull();
  return path;
}
const imported = (archive: Archive, path: string) => archive.importCsv(path, () => undefined).done;
const text = (path: string): string => readFileSync(path, 'utf8');

const importTo = (to: ReturnType<typeof openHere>, path: string, at = START) =>
  importFile(to, path, at, () => Promise.resolve(true));
/** Imports into an empty archive in this thread: a worker runs the build, of which mutation tests change nothing. */
async function importHere(path: string) {
  const to = openHere(at(`${++made}.sqlite`));
  const end = await importTo(to, path);
  const [stored, noted] = [to.writer.stored(), to.notes.of('7')];
  to.close();
  return { ...end, stored, noted };
}

function fileOf(lines: readonly string[]): string {
  const path = at(`${++made}.csv`);
  writeFileSync(path, lines.join('\r\n'));
  return path;
}
const lines = (archive: SourcePorts, query: ArchiveExport): Buffer =>
  Buffer.concat([...exportSource(archive, query).chunks].map((one) => one.bytes));

const listed = ({ reader }: ReturnType<typeof openHere>): readonly Trade[] =>
  reader.page(NO_FILTER, 0, 1_000).rows;

const FIRST_TEN = { filter: NO_FILTER, sort: NEWEST_FIRST, offset: 0, limit: 10 };
const HEADER = FULL_EXPORT.columns.join(',');
const LINE = '1,BTC-USDT-M,BUY,1.50,2,3,0.1,USDT,MAKER,0,7,8';

describe('an import', () => {
  it('restores the Full layout byte for byte, whatever the exchange sent and in every format', async () => {
    await fc.assert(
      fc.asyncProperty(
        distinctTrades(20),
        fc.record({
          spreadsheetSafe: fc.boolean(),
          timeFormat: fc.constantFrom('iso', 'epoch-ms'),
          timeZone: fc.constantFrom('UTC', 'America/St_Johns'),
          mark: fc.constantFrom(
            { decimalMark: 'point', separator: 'comma' },
            { decimalMark: 'point', separator: 'semicolon' },
            { decimalMark: 'comma', separator: 'semicolon' },
            { decimalMark: 'comma', separator: 'tab' },
          ),
        } as const),
        async (list, { mark, ...form }) => {
          const query: ArchiveExport = { ...FULL_EXPORT, ...form, ...mark };
          const from = openHere();
          from.writer.insert(list, null, 0);
          const path = at(`${++made}.csv`);
          writeFileSync(path, lines(from, query));
          // In this thread, since starting workers would take most of the time.
          const to = openHere(at(`${made}.sqlite`));
          const end = await importTo(to, path);
          expect(end).toMatchObject({ state: 'done', added: list.length, failure: null });
          expect(lines(to, query)).toEqual(readFileSync(path));
          from.close();
          to.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('takes tags and notes from their two columns, where the order has none', async () => {
    const malicious = { text: '=1+1, "quoted"\nand a second line\n  -3', tags: ['=cmd', 'Plan', '@x'] };
    const second = { text: "'", tags: [] };
    for (const mark of [
      { decimalMark: 'point', separator: 'comma' },
      { decimalMark: 'comma', separator: 'tab' },
    ] as const) {
      const query: ArchiveExport = { ...FULL_EXPORT, ...mark, notes: true };
      const from = openHere();
      const list = [0, 1, 2].map((n) => tradeNumber(n, { orderId: `${n}` }));
      from.writer.insert(list, null, 0);
      from.notes.save(START, '0', malicious);
      from.notes.save(START, '1', second);
      const path = at(`${++made}.csv`);
      writeFileSync(path, lines(from, query));
      expect(readFileSync(path, 'utf8')).toContain(`'=1+1, ""quoted""\nand a second line\n  -3"\r\n`);
      const plain = lines(from, { ...query, notes: false });
      expect(plain.toString()).toBe(lines(from, { ...FULL_EXPORT, ...mark }).toString());

      const to = openHere(at(`${made}.sqlite`));
      to.notes.save(START, '1', { text: 'here before', tags: [] });
      expect(await importTo(to, path, START + 5)).toMatchObject({ state: 'done', failure: null });
      expect(to.notes.of('0')).toMatchObject({ ...malicious, editedAt: START + 5 });
      expect(to.notes.of('1')).toMatchObject({ text: 'here before' });
      expect(to.notes.of('2')).toBeNull();
      to.notes.save(START + 9, '1', second);
      expect(lines(to, query)).toEqual(readFileSync(path));
      from.close();
      to.close();
    }
  });

  it.each([
    [
      'Tags',
      `"a, ${'x'.repeat(41)}",`,
      /^Line 2, Tags: “x{40}…” cannot be stored\. At most 40 characters: this tag has 41\.$/,
    ],
    [
      'Tags',
      `"${Array.from({ length: 21 }, (_, n) => `t${n}`).join(', ')}",`,
      /^Line 2, Tags: 21 tags cannot be stored\. At most 20\.$/,
    ],
    [
      'Note',
      `,${'x'.repeat(4_001)}`,
      /^Line 2, Note: “x{40}…” cannot be stored\. At most 4000 characters: remove 1 to save it\.$/,
    ],
  ])('rejects %s beyond their limits, with line, column and value', async (column, cells, reason) => {
    const end = await importHere(fileOf([`${HEADER},Tags,Note`, `${LINE},${cells}`]));
    expect(end.failure?.message).toMatch(reason);
    expect(end.failure).toMatchObject({
      field: column,
      next: 'Nothing was stored. Correct the cell, or remove the columns Tags and Note.',
    });
  });

  it('takes no note from a file without their columns', async () => {
    const end = await importHere(fileOf([HEADER, LINE]));
    expect(end).toMatchObject({ state: 'done', stored: 1, noted: null });
  });

  it('takes as many tags as an order may have, none of them blank', async () => {
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const path = fileOf([`${HEADER},Tags,Note`, `${LINE},"${tags.join(', ')},  ,",`]);
    expect(await importHere(path)).toMatchObject({ failure: null, noted: { text: '', tags } });
  });

  it('imports unreadable numbers as received', async () => {
    const odd = tradeNumber(0, {
      ...{ fee: null, price: null, executedQty: null, offset: null },
      received: { fee: 'n/a, "none"', price: "'=1+1", executedQty: `1${'0'.repeat(60)}`, offset: '1O' },
    });
    const empty = tradeNumber(1, { fee: null, received: { fee: '' } });
    for (const mark of [
      { decimalMark: 'point', separator: 'comma' },
      { decimalMark: 'comma', separator: 'semicolon' },
    ] as const) {
      const from = await filled([odd, empty, tradeNumber(2)]);
      const path = await exported(from, { ...FULL_EXPORT, ...mark });
      const to = await open();
      expect(await imported(to, path)).toMatchObject({ state: 'done', added: 3, failure: null });
      expect(text(await exported(to, { ...FULL_EXPORT, ...mark }))).toBe(text(path));
      expect(dataOf(await to.list(FIRST_TEN)).rows).toContainEqual(odd);
      expect(dataOf(await to.totals(NO_FILTER))).toEqual(dataOf(await from.totals(NO_FILTER)));
      await Promise.all([from.close(), to.close()]);
    }
  });

  it('keeps what the exchange sent in place of a number or an order id, through every layout', async () => {
    const texts = [
      ...['1,5', '-1,5', '1.0', '1.5', '1e3', '1.5e0', '1e-41', '9007199254740993', `1${'0'.repeat(60)}.5`],
      ...['', '1O', '007', '+5', '.5', '5.', '-0', 'abc', "'", '{"a":1}', ' 1'],
    ];
    const list = texts.flatMap((text, at) =>
      (['price', 'fee', 'offset', 'orderId'] as const).map((field, of) => {
        const sent = { ...tradeNumber(4 * at + of), [field]: text };
        return readRecord(tradeFields, sent).record as Trade;
      }),
    );
    for (const mark of [
      { decimalMark: 'point', separator: 'comma' },
      { decimalMark: 'point', separator: 'semicolon' },
      { decimalMark: 'comma', separator: 'semicolon' },
    ] as const) {
      const from = openHere();
      from.writer.insert(list, null, 0);
      const path = at(`${++made}.csv`);
      writeFileSync(path, lines(from, { ...FULL_EXPORT, ...mark }));
      const to = openHere(at(`${made}.sqlite`));
      expect(await importTo(to, path)).toMatchObject({ added: list.length, failure: null });
      expect(listed(to)).toEqual(listed(from));
      from.close();
      to.close();
    }
  });

  it.each([
    ['fee', ',0.1,', ',0.1O,', '0.1O', 'decimal text'],
    ['fee', ',0.1,', ',"0,1",', '0,1', 'decimal text'],
    ['offset', ',0,7,', ',O,7,', 'O', 'integer'],
    ['orderId', ',7,8', ',7a,8', '7a', 'digits as text'],
  ])(
    'rejects a mistyped %s with line, column, value and the way to keep it: %s → %s',
    async (column, right, wrong, value, expected) => {
      const end = await importHere(fileOf([HEADER, LINE.replace(right, wrong)]));
      expect(end.failure).toMatchObject({
        field: column,
        message: `Line 2, ${column}: “${value}” cannot be read (expected: ${expected}).`,
      });
      expect(end.failure?.next).toMatch(/put a ' before it to keep it as the exchange sent it/);
      expect(end.stored).toBe(0);
    },
  );

  it('keeps the order of trades of equal time and id', async () => {
    const same = { tradeTime: START + 5_000, tradeId: '7' };
    const from = await filled([
      tradeNumber(9, { ...same, symbol: 'B' }),
      tradeNumber(9, { ...same, symbol: 'A' }),
      tradeNumber(0, { symbol: 'A' }),
    ]);
    const path = await exported(from);
    const to = await open();
    await imported(to, path);
    expect(text(await exported(to))).toBe(text(path));
    await Promise.all([from.close(), to.close()]);
  });

  it('keeps the order of forty thousand symbols whose trades have one time and id', async () => {
    const names = Array.from({ length: 40_000 }, (_, n) => `S${(n * 7_919) % 40_000}`);
    const path = fileOf([HEADER, ...names.map((name) => LINE.replace('BTC-USDT-M', name))]);
    const to = openHere(at(`${++made}.sqlite`));
    expect(await importTo(to, path)).toMatchObject({ added: names.length, failure: null });
    expect(listed(to).map((one) => one.symbol)).toEqual(names.slice(-1_000).reverse());
    to.close();
  });

  it.each([
    [
      'a figure that is none',
      LINE.replace('1.50', '1e5x'),
      /Line 3, price: “1e5x” cannot be read \(expected: decimal text\)/,
    ],
    ['an id that is none', LINE.replace(/,8$/, ','), /Line 3, tradeId: “” cannot be read/],
    ['a time that is none', LINE.replace(/^1/, '2026-02-30T00:00:00.000Z'), /Line 3, tradeTime: “2026-02-30/],
    ['a cell too few', LINE.replace(',8', ''), /Line 3 has 11 cells where the header has 12/],
    ['a quote inside', LINE.replace('BTC', 'B"TC'), /Line 3: a cell that is not quoted contains a quote/],
    ['an open quote', LINE.replace('BTC', '"BTC'), /Line 3: a quote opened here is never closed/],
    [
      'an open quote before megabytes of text',
      `"${'x'.repeat(4_000_000)}`,
      /Line 3: a row has more than 4,000,000 characters; a closing quote may be missing/,
    ],
    ['megabytes of cells', ','.repeat(4_000_001), /Line 3: a row has more than 4,000,000 characters/],
  ])('rejects %s by line, column and value, and stores nothing', async (_, line, text) => {
    const end = await importHere(fileOf([HEADER, LINE, line]));
    expect(end).toMatchObject({ state: 'failed', stored: 0 });
    expect(end.failure?.message).toMatch(text);
  });

  it.each([
    ['no header', ['what is this'], /^Line 1 is not the header of a file with the layout Full\.$/],
    ['two separators in its header', [HEADER.replace(',', ';')], /^Line 1 is not the header/],
    [
      'a missing column',
      [HEADER.replace(',fee,', ','), LINE],
      /^Line 1: the column fee is missing; all twelve are needed\.$/,
    ],
    [
      'a strange column',
      [`${HEADER},pro\u0007fit`, `${LINE},1`],
      /^Line 1: “pro·fit” is not a column of the layout Full\.$/,
    ],
    ['a long one', [`${HEADER},${'x'.repeat(41)}`], /“x{40}…” is not a column/],
    ['one as long as is shown', [`${HEADER},${'x'.repeat(40)}`], /“x{40}” is not a column/],
    ['a repeated column', [`${HEADER},fee`, `${LINE},1`], /^Line 1: a column appears more than once\.$/],
  ])('rejects a file with %s', async (_, lines, text) => {
    const { failure } = await importHere(fileOf(lines));
    expect(failure?.message).toMatch(text);
    expect(failure).toMatchObject({
      ...{ kind: 'blocked', field: 'path' },
      next: 'Nothing was stored. Correct the file, or export it again with the layout Full.',
    });
  });

  it.skipIf(process.platform === 'win32')('waits for no pipe', async () => {
    const path = at('pipe.csv');
    execFileSync('mkfifo', [path]);
    const { failure } = await importHere(path);
    expect(failure).toMatchObject({
      message: 'It is not a file.',
      next: 'Choose a CSV file.',
      field: 'path',
    });
  });

  it('reports a missing file, and one that is not UTF-8', async () => {
    const archive = await open();
    expect((await imported(archive, at('none.csv'))).failure).toMatchObject({ kind: 'file', field: 'path' });
    const path = at('latin.csv');
    writeFileSync(path, Buffer.concat([Buffer.from(`${HEADER}\r\n1,`), Buffer.from([0xfc])]));
    expect((await imported(archive, path)).failure?.message).toMatch(/not UTF-8/);
    await archive.close();
  });

  it('counts known rows, quarantines other versions, and verifies nothing', async () => {
    const archive = await open();
    await archive.beginPass('pass');
    dataOf(await archive.insertTrades(trades(0, 3), 'pass'));
    const other = await filled([...trades(1, 5), tradeNumber(0, { price: '1' })]);
    const path = await exported(other);
    expect(await imported(archive, path)).toMatchObject({
      state: 'done',
      added: 2,
      known: 2,
      quarantined: 1,
    });
    // The pass has seen only what the exchange listed so far.
    expect(dataOf(await archive.insertTrades([], 'pass'))).toMatchObject({ seen: 3 });
    expect(dataOf(await archive.insertTrades(trades(2, 5), 'pass'))).toMatchObject({ added: 0, seen: 5 });
    expect(dataOf(await archive.state())).toMatchObject({ stored: 5, quarantined: 1 });
    expect(dataOf(await archive.totals(NO_FILTER)).count).toBe(5);
    await Promise.all([archive.close(), other.close()]);
  });

  it('lets every read go on, of the archive as it was before', async () => {
    const from = await filled(trades(0, 6_000));
    const path = await exported(from);
    const archive = await filled([tradeNumber(9_000)]);
    const RANGE = { from: null, to: null, symbol: null };
    const order: string[] = [];
    const job = archive.importCsv(path, () => undefined);
    // At once: the worker does not wait for this thread between two steps.
    const reads = [
      archive.state().then((found) => order.push(`state ${dataOf(found).stored}`)),
      archive.statsSummary(RANGE).then((found) => order.push(`stats ${dataOf(found).basis.trades}`)),
      archive.orderState().then(() => order.push('orders')),
      archive
        .place({ filter: NO_FILTER, sort: NEWEST_FIRST, row: tradeNumber(9_000) })
        .then((found) => order.push(`place ${dataOf(found)}`)),
    ];
    const end = await job.done;
    order.push(end.state);
    await Promise.all(reads);
    expect(order).toEqual(['state 1', 'stats 1', 'orders', 'place 0', 'done']);
    await Promise.all([archive.close(), from.close()]);
  });

  it('waits until daily results are rebuilt in steps', async () => {
    const from = await filled(trades(0, 1));
    const path = await exported(from);
    const archive = await open();
    const rows = orders(0, 2_000).map((one, n) => ({ ...one, mtime: START + n * DAY_MS }));
    dataOf(await archive.insertOrders(rows, null, []));
    const finding = archive.profit({ contracts: [], setting: 'after-fees' });
    const job = archive.importCsv(path, () => undefined);
    expect(await finding).toMatchObject({ ok: true, data: { convention: 'after-fees' } });
    expect(await job.done).toMatchObject({ state: 'done', added: 1 });
    await Promise.all([archive.close(), from.close()]);
  });

  it('is not seen before all of it is stored, and leaves nothing when cancelled while storing', async () => {
    const from = await filled(trades(0, 3_000));
    const path = await exported(from);
    await from.close();
    const to = openHere(at(`${++made}.sqlite`));
    to.writer.insert([tradeNumber(9_000)], null, START);
    const steps: unknown[] = [];
    const jobs: Jobs<ImportStep> = new Jobs((job, { state, rows }) => {
      if (state === 'storing') steps.push([rows, listed(to).length]);
      if (state === 'storing' && rows === 1_000) jobs.cancel(job);
    }, 0);
    const end = await jobs.run('j1', (report) => importFile(to, path, START, report));
    expect(end).toMatchObject({ state: 'cancelled', rows: 1_000, added: 0 });
    expect(steps).toEqual([
      [500, 1],
      [1_000, 1],
    ]);
    expect(listed(to)).toEqual([tradeNumber(9_000)]);
    to.close();
  });

  it('lets other writes wait, and leaves the archive unchanged when cancelled', async () => {
    const from = await filled(trades(0, 6_000));
    const path = await exported(from);
    const archive = await open();
    const job = archive.importCsv(path, () => undefined);
    const written = archive.insertTrades([tradeNumber(9_000)], null);
    job.cancel();
    expect((await job.done).state).toBe('cancelled');
    await written;
    expect(dataOf(await archive.state()).stored).toBe(1);
    expect(dataOf(await archive.list(FIRST_TEN)).rows).toEqual([tradeNumber(9_000)]);
    await Promise.all([archive.close(), from.close()]);
  });
});
