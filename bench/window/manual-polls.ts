/** A hand-written page that does all the work of a poll: the same reply, the same bridge, the same texts. */
import type { Page } from '@playwright/test';
import { frames, spent, type Spent } from './updates.ts';

interface Polls {
  /** Replies of the account as the exchange sent them, one per poll. */
  readonly replies: readonly string[];
  /** Upper ends of every contract's risk tiers, whole coins. */
  readonly tierEnds: readonly number[];
  /** Rows the table draws. */
  readonly rows: number;
}

export interface ManualPolls {
  /** What each poll cost. */
  readonly runs: readonly Spent[];
  /** Texts of the cells after the last poll. */
  readonly texts: readonly (readonly string[])[];
  /** And the totals: value, unrealised PnL, margin, realised PnL. */
  readonly totals: readonly string[];
  /** Longest gap between frames during one more round of polls, ms. */
  readonly longest: number;
}

export async function manualPolls(page: Page, { replies, tierEnds, rows }: Polls): Promise<ManualPolls> {
  const poll = await page.evaluateHandle(makePage, { tierEnds, rows });
  const sent = async (reply: string): Promise<() => Promise<void>> => {
    const text = await page.evaluateHandle((one) => one, reply);
    return () => poll.evaluate((go, one) => go(one), text);
  };
  // Measured separately and first: the frame watcher itself has a cost.
  const watch = await frames(page);
  for (const reply of replies) await (await sent(reply))();
  const { longest } = await watch.end();
  const runs: Spent[] = [];
  for (const reply of replies) runs.push(await spent(page, await sent(reply)));
  const textsOf = (part: string): Promise<string[][]> =>
    page
      .locator(`${part} tr`)
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
  const [texts, [totals = []]] = [await textsOf('tbody'), await textsOf('tfoot')];
  return { runs, texts, totals, longest };
}

/** Runs in the page, without access to this module. */
function makePage({ tierEnds, rows }: { tierEnds: readonly number[]; rows: number }) {
  type Position = Record<string, string> & { leverage: number; tpSlSize: number };
  const tens = (power: number): bigint => 10n ** BigInt(power);
  const scaleOf = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
  /** As whole units of 10^-18. */
  const exact = (text: string): bigint => BigInt(text.replace('.', '')) * tens(18 - scaleOf(text));
  /** a ÷ b, half away from zero. */
  const rounded = (a: bigint, b: bigint): bigint => {
    const half = (2n * (a < 0n ? -a : a) + b) / (2n * b);
    return a < 0n ? -half : half;
  };
  const fixed = (units: bigint, scale: number): string => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(-scale)}`;
  };
  const grouped = (text: string, scale: number, signed = false): string => {
    const zero = !/[1-9]/.test(text);
    const negative = text.startsWith('-');
    const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
    const sign = zero ? '' : negative ? '\u2212' : signed ? '+' : '';
    const decimals = fraction.padEnd(scale, '0');
    return `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${decimals === '' ? '' : `.${decimals}`}`;
  };
  const amount = (text: string, scale: number, signed = false): string =>
    /[1-9]/.test(text) ? grouped(text, scale, signed) : '0';
  /** a ÷ b, cut toward zero, as the distance to liquidation is. */
  const cut = (a: bigint, b: bigint): bigint => a / b;
  /** A ratio in units of 10^-10. */
  const percent = (share: bigint, divided = rounded): string => {
    const wide = share >= tens(10) || share <= -tens(10);
    return `${grouped(wide ? fixed(divided(share, tens(7)), 1) : fixed(divided(share, tens(6)), 2), 0, true)}%`;
  };
  const MONEY = [
    'margin',
    'profitUnreal',
    'realizedPnl',
    'entryValue',
    'maintainMargin',
    'fundAmount',
    'feeAmount',
    'pnl',
  ];
  /** As the setting cuts quote coins; the digits behind are in the cell too. */
  const DECIMALS = 2;
  const SIGNED = new Set(['profitUnreal', 'realizedPnl', 'fundAmount', 'pnl']);
  const collator = new Intl.Collator('en', { numeric: true });

  const table = document.createElement('table');
  const body = table.createTBody();
  const foot = table.createTFoot().insertRow();
  const sums = Array.from({ length: 4 }, () => foot.insertCell());
  const cells = Array.from({ length: rows }, () => {
    const line = body.insertRow();
    return Array.from({ length: 19 }, () => line.insertCell());
  });
  const before = cells.map((line) => line.map(() => ''));
  document.body.append(table);

  function write(reply: string): void {
    const positions = (JSON.parse(reply) as { data: { positions: Position[] } }).data.positions;
    positions.sort((a, b) => collator.compare(a['symbolId']!, b['symbolId']!));
    const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
    const moneyText = (text: string, signed: boolean): string =>
      amount(trimmed(text), Math.max(DECIMALS, scaleOf(trimmed(text))), signed);
    const total = (name: string): bigint => positions.reduce((sum, one) => sum + exact(one[name] ?? '0'), 0n);
    const totals = ['margin', 'profitUnreal', 'realizedPnl'].map(total);
    const [margin = 0n, profit = 0n, realised = 0n] = totals;
    const value = positions.reduce(
      (sum, one) => sum + (exact(one['markPrice']!) * exact(one['quantity']!)) / tens(18),
      0n,
    );
    [
      moneyText(fixed(value, 18), false),
      moneyText(fixed(profit, 18), true),
      moneyText(fixed(margin, 18), false),
      moneyText(fixed(realised, 18), true),
    ].forEach((text, at) => {
      if (sums[at]!.textContent !== text) sums[at]!.textContent = text;
    });
    positions.slice(0, rows).forEach((one, row) => {
      const of = (name: string): string => one[name] ?? '';
      const price = (name: string): string => amount(of(name), scaleOf(of(name)));
      const money = (name: string): string => (of(name) === '' ? '—' : moneyText(of(name), SIGNED.has(name)));
      const [mark, way] = [exact(of('markPrice')), exact(of('liquidPrice'))];
      const value = (mark * exact(of('quantity'))) / tens(18);
      const behind = exact(of('margin')) + exact(of('profitUnreal'));
      const tier = tierEnds.findIndex((end) => value <= BigInt(end) * tens(18));
      const texts = [
        `${of('symbolId')}${of('side') === 'BUY' ? 'Long' : 'Short'} ${one.leverage}× ${of('marginMode') === 'ISOLATED' ? 'Iso' : 'Cross'}`,
        `${price('quantity')}\u2009${of('symbolId').split('-')[0]}`,
        moneyText(fixed(value, 18), false),
        price('avgEntryPrice'),
        price('markPrice'),
        way === 0n
          ? 'No liquidation'
          : `${price('liquidPrice')}${percent(cut((way - mark) * tens(10), mark), cut)}`,
        one.tpSlSize === 0 ? '—' : `${one.tpSlSize} unreadable`,
        `${money('profitUnreal')}${percent(rounded(exact(of('profitUnrealRate')), tens(8)))}`,
        money('margin'),
        behind > 0n ? grouped(fixed(rounded(value * 100n, behind), 2), 2) : '—',
        String(tier < 0 ? tierEnds.length : tier + 1),
        money('realizedPnl'),
        price('lastPrice'),
        ...MONEY.slice(3).map(money),
        'Close…',
      ];
      texts.forEach((text, at) => {
        if (before[row]![at] !== text) cells[row]![at]!.textContent = text;
      });
      before[row] = texts;
    });
  }
  const { echo } = globalThis as never as { echo: (text: string) => Promise<string> };
  return async (reply: string): Promise<void> => {
    const received = await echo(reply);
    await new Promise<void>((drawn) => {
      // By a timer, as in `manualUpdates`.
      setTimeout(() => {
        write(received);
        requestAnimationFrame(() => requestAnimationFrame(() => drawn()));
      });
    });
  };
}
