import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpText, readOptions, UsageError } from './options.ts';

const NOW = Date.UTC(2026, 10, 23, 23);
const folder = mkdtempSync(join(tmpdir(), 'ballast-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the arguments of the export', () => {
  const env = { K: 'key', S: 'secret' };
  const base = ['--base-url', 'https://x.example', '--key-env', 'K', '--secret-env', 'S', '--out', 'x.csv'];
  const read = (...more: string[]) => readOptions([...base, '--signing', 'practice', ...more], env, NOW);

  it('are read into a query', () => {
    expect(
      read('--from', '2026-01-01', '--to', '2026-12-31', '--symbol', 'A', '--preset', 'rotki'),
    ).toMatchObject({
      query: {
        preset: 'rotki',
        table: 'trades',
        filter: { from: Date.UTC(2026, 0), to: Date.UTC(2027, 0) - 1, symbols: ['A'] },
      },
    });
    expect(read('--koinly-header', 'Label', '--rotki-asset', 'A=b:c')?.query.tax).toEqual({
      koinlyHeader: 'Label',
      rotkiAssets: { A: 'b:c' },
    });
    expect(read()?.profit).toBeNull();
    expect(read('--profit', 'after-fees')?.profit).toBe('after-fees');
    expect(readOptions(['--help'], env, NOW)).toBeNull();
    expect(helpText('ballast export')).toContain('  ballast export --connection NAME');
  });
  it('name a connection of Ballast, which has address, key, secret and signing itself', () => {
    const named = (...more: string[]) =>
      readOptions(['--connection', 'Main', '--out', 'x', ...more], {}, NOW);
    expect(named('--profile', folder)).toMatchObject({
      ...{ source: { from: 'connection', name: 'Main' }, archive: null, account: null, profile: folder },
    });
    expect(() => named('--key-env', 'K')).toThrow(/--key-env: a connection has its own; leave it out/);
  });
  it('name a period, in the calendar of the time zone', () => {
    const span = (...more: string[]) => read('--period', ...more)?.query.filter;
    expect(span('last-month')).toMatchObject({ from: Date.UTC(2026, 9), to: Date.UTC(2026, 10) - 1 });
    expect(span('all')).toMatchObject({ from: null, to: null });
    // In Tokyo it is the 24th, nine hours ahead.
    expect(span('today', '--time-zone', 'Asia/Tokyo')).toMatchObject({
      ...{ from: Date.UTC(2026, 10, 23, 15), to: null },
    });
  });
  it.each([
    [['--period', 'monthly'], /--period: “monthly” is not one of today, 7d, /],
    [['--period', 'year', '--from', '2026-01-01'], /--period replaces --from and --to/],
    [['--period', 'year', '--time-zone', 'Mars'], /--time-zone: “Mars” is not a time zone/],
    [['--time-zone', 'Mars'], /--time-zone: “Mars” is not a time zone/],
    [['--decimal-mark', 'comma'], /--separator: a decimal comma needs/],
    [['--preset', 'custom', '--columns', 'price,price'], /--columns: each column once/],
    [['--preset', 'custom', '--columns', 'fee,cost'], /--columns: “cost” is not one of tradeTime, symbol, /],
    [['--preset', 'kionly'], /--preset: “kionly” is not one of full, koinly, /],
    [['--table', 'orders', '--preset', 'koinly'], /--preset: the order history has all its fields/],
    [['--table', 'orders', '--columns', 'fee'], /--columns: the order history has all its fields/],
    [['--columns', 'fee'], /--columns: they are of --preset custom only/],
    [['--preset', 'rotki', '--separator', 'tab'], /--separator: a tax tool prescribes it/],
    [['--preset', 'koinly', '--spreadsheet-safe'], /--spreadsheet-safe: a tax tool prescribes it/],
    [['--profit', 'net'], /--profit: “net” is not before-fees or after-fees/],
    [['--koinly-header', 'Tags'], /--koinly-header: “Tags” is not one of Tag, Label/],
    [['--rotki-asset', 'USDT'], /--rotki-asset must be COIN=IDENTIFIER/],
    [['--rotki-asset', 'USDT=two words'], /--rotki-asset: an identifier such as/],
    [['--from', 'yesterday'], /--from: “yesterday” is not YYYY/],
    [['--from', '1764547200'], /--from: “1764547200” is not YYYY.* or milliseconds/],
    [['--keychain', 'id'], /Give one of --secret-env and --keychain/],
    [['--secret', 'x'], /Unknown option/],
  ])('%j are rejected by name', (more, message) => {
    expect(() => read(...more)).toThrow(UsageError);
    expect(() => read(...more)).toThrow(message);
  });
  it.skipIf(process.platform === 'win32')('name files by links, which are not replaced', () => {
    const at = (name: string): string => join(realpathSync(folder), name);
    writeFileSync(at('a.sqlite'), '');
    symlinkSync('a.sqlite', at('link'));
    expect(read('--out', at('link'))).toMatchObject({ out: at('a.sqlite') });
    expect(read('--archive', at('link'))).toMatchObject({ archive: at('a.sqlite') });
    expect(() => read('--out', at('a.sqlite'), '--archive', at('link'))).toThrow(/name the same file/);
  });
  it('name no other file as the archive, which would be renamed', () => {
    const at = (name: string): string => join(realpathSync(folder), name);
    writeFileSync(at('trades.csv'), 'time,coin');
    writeFileSync(at('empty.sqlite'), '');
    writeFileSync(at('kept.sqlite'), 'SQLite format 3\0 and its pages');
    expect(() => read('--archive', at('trades.csv'))).toThrow(/trades\.csv is not a trade archive/);
    for (const name of ['empty.sqlite', 'kept.sqlite', 'new.sqlite'])
      expect(read('--archive', at(name))).toMatchObject({ archive: at(name) });
  });
  it('name an invalid field of a profile, and an empty variable', () => {
    const file = join(folder, 'signing.json');
    writeFileSync(file, '{"algorithm":"MD5"}');
    expect(() => readOptions([...base, '--signing', file], env, NOW)).toThrow(/signing\.json, /);
    expect(() => readOptions([...base, '--signing', 'practice'], { K: 'k' }, NOW)).toThrow(
      /no S, or it is empty/,
    );
  });
});
