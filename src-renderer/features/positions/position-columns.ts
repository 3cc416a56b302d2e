/** The columns of Positions, and the groups of its expanded row. */
import type { Snippet } from 'svelte';
import { signOf } from '../../../src-shared/amount.ts';
import type { RatioUnit } from '../../../src-shared/domain/margin/ratio-unit.ts';
import { isNearNextTier, markOf, type PositionTier } from '../../../src-shared/domain/position/metrics.ts';
import {
  type PositionField,
  type Position,
  positionFields,
} from '../../../src-shared/exchange-api/account.ts';
import { marginModeLabel } from '../../../src-shared/exchange-api/enums.ts';
import { actionsColumn, type CellForm, type Column } from '../../components/table/columns.ts';
import { distanceText } from '../../components/figure/distance-text.ts';
import { sizeText } from '../../components/figure/size-text.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { plainPercent, timesText } from '../../text/number-text.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import {
  amountText,
  NO_VALUE,
  rateText,
  type ShownText,
  sideText,
  stackedText,
  withUnit,
} from '../../text/shown-text.ts';
import { protectionText } from '../../components/figure/protection-text.ts';
import type { PositionRow } from './positions.svelte.ts';

type DecimalName = {
  [K in PositionField]: Position[K] extends string | null ? K : never;
}[PositionField];

const help = (name: keyof typeof positionFields): string => positionFields[name].meaning;

/** A decimal field. Prices and quantities share a scale by contract, money by margin coin. */
function decimalColumn(
  name: DecimalName,
  label: string,
  of: 'contract' | 'money',
  more: Partial<Column<PositionRow>> = {},
): Column<PositionRow> {
  return {
    key: name,
    label,
    field: name,
    help: help(name),
    decimal: true,
    value: (row) => row.position[name],
    ...(of === 'money' ? { coin: (row: PositionRow) => row.coin, money: true } : {}),
    received: (row) => row.position.received?.[name],
    scaleBy: of === 'contract' ? (row) => row.position.symbolId : (row) => row.coin ?? row.position.symbolId,
    ...more,
  };
}

export interface PositionCells {
  readonly symbol: Snippet<[row: PositionRow]>;
  readonly actions: Snippet<[row: PositionRow]>;
}

/** Nearly all cells are written as text, since two hundred rows change with each poll. */
export const positionColumns = (app: AppState, cells: PositionCells): readonly Column<PositionRow>[] => [
  ...shownColumns(app, cells.symbol),
  ...offColumns(app),
  actionsColumn(cells.actions),
];

const shownColumns = (app: AppState, symbol: PositionCells['symbol']): readonly Column<PositionRow>[] => [
  {
    key: 'symbolId',
    label: 'Symbol',
    field: 'symbolId',
    always: true,
    value: (row) => row.position.symbolId,
    cell: symbol,
  },
  decimalColumn('quantity', 'Size', 'contract', {
    coin: (row) => row.unit,
    ownUnits: () => true,
    text: ({ unit, position: { symbolId, quantity, markPrice } }, { decimals, hidden }) =>
      sizeText(
        app,
        { symbolId, quantity, price: markPrice, decimals, strong: true, unit: unit ?? undefined },
        hidden,
      ),
  }),
  {
    key: 'value',
    label: 'Value ≈',
    help: 'Size × mark for linear contracts, the size for inverse ones',
    decimal: true,
    minWidth: 740,
    value: (row) => row.value,
    coin: (row) => row.quote,
    money: true,
    scaleBy: (row) => row.quote ?? '',
  },
  decimalColumn('avgEntryPrice', 'Entry', 'contract', {
    minWidth: 880,
    text: ({ quote, position: { avgEntryPrice, markPrice } }, { decimals, hidden }) => {
      const cut = shownAs.averageDecimals(quote, markPrice);
      return amountText(avgEntryPrice, { decimals, cut }, hidden);
    },
  }),
  decimalColumn('markPrice', 'Mark', 'contract'),
  decimalColumn('liquidPrice', 'Liquidation', 'contract', { text: liquidationText }),
  {
    key: 'tpSlSize',
    label: 'TP / SL',
    field: 'tpSlSize',
    help: 'First take-profit and stop-loss trigger, and whether they cover the whole position',
    align: 'right',
    minWidth: 600,
    value: (row) => row.position.tpSlSize,
    text: ({ position }) => protectionText(position),
  },
  decimalColumn('profitUnreal', 'Unrealised · ROE', 'money', {
    text: ({ position }, form) => profitText(position, form, app.ratioUnits.profit.unit),
  }),
  decimalColumn('margin', 'Margin', 'money', { minWidth: 990 }),
];

/** Hidden by default, as another cell or the expanded row shows the same. */
const offColumns = (app: AppState): readonly Column<PositionRow>[] => [
  {
    key: 'side',
    label: 'Side',
    off: true,
    value: (row) => row.position.side,
    text: (row) => sideText(row.position.side, 'position'),
  },
  {
    key: 'leverage',
    label: 'Leverage',
    off: true,
    value: (row) => row.position.leverage,
    text: ({ position }) => ({ pieces: [leverageText(position)], className: '' }),
  },
  {
    key: 'distance',
    label: 'Distance',
    help: 'Distance from the mark to the liquidation price',
    align: 'right',
    decimal: true,
    decimals: 2,
    off: true,
    value: (row) => row.distance,
    text: (row) => distanceText(row.distance, row.position.side),
  },
  decimalColumn('profitUnrealRate', 'ROE', 'contract', {
    decimals: 2,
    off: true,
    text: (row) =>
      rateText(row.position.profitUnrealRate, app.ratioUnits.profit.unit, { signed: true, coloured: true }),
  }),
  {
    key: 'leverageNow',
    label: '≈ Leverage now',
    help: 'Value at mark ÷ (margin + unrealised PnL)',
    decimal: true,
    decimals: 2,
    off: true,
    from: 1240,
    value: (row) => row.leverageNow,
  },
  {
    key: 'tier',
    label: 'Tier',
    help: 'Risk tier of the value at mark',
    align: 'right',
    off: true,
    from: 1320,
    value: (row) => row.tier?.tier.level ?? null,
    text: (row) => tierText(row.tier),
  },
  decimalColumn('realizedPnl', 'Realised', 'money', { off: true, from: 1400, signed: true }),
  decimalColumn('lastPrice', 'Last', 'contract', { off: true, from: 1800 }),
  decimalColumn('entryValue', 'Entry value', 'money', { off: true, from: 1900 }),
  decimalColumn('maintainMargin', 'Maint. margin', 'money', { off: true, from: 1500 }),
  decimalColumn('fundAmount', 'Funding', 'money', { off: true, from: 1600, signed: true }),
  decimalColumn('feeAmount', 'Fees', 'money', { off: true, from: 1700 }),
  decimalColumn('pnl', 'Closed PnL', 'money', { off: true, signed: true }),
];

function profitText(position: Position, form: CellForm, unit: RatioUnit | null): ShownText {
  const { profitUnreal, profitUnrealRate } = position;
  if (profitUnreal === null && markOf(position) === null) return stackedText(NO_VALUE, NO_MARK);
  const profit = amountText(
    profitUnreal,
    { ...form, unit: undefined, signed: true, strong: true },
    form.hidden,
  );
  return stackedText(
    withUnit(profit, form.unit),
    rateText(profitUnrealRate, unit, { signed: true, coloured: true }),
  );
}

/** `20× Iso`, shown beside the side. */
export const leverageText = ({ leverage, marginMode }: Position): string =>
  `${leverage === null ? '—' : timesText(leverage)} ${marginModeLabel(marginMode).replace('Isolated', 'Iso')}`;

const NO_MARK: ShownText = { pieces: ['no mark'], className: 't3', title: 'The exchange sent no mark price' };
const NO_LIQUIDATION: ShownText = {
  pieces: ['No liquidation'],
  className: 't3',
  title: 'The exchange reports 0: no price liquidates this position',
};

function liquidationText(row: PositionRow, { decimals, hidden }: CellForm): ShownText {
  const { liquidPrice, side } = row.position;
  if (liquidPrice !== null && signOf(liquidPrice) === 0) return NO_LIQUIDATION;
  if (liquidPrice === null) return NO_VALUE;
  return stackedText(amountText(liquidPrice, { decimals }, hidden), distanceText(row.distance, side));
}

function tierText(tier: PositionTier | null): ShownText {
  if (tier === null) return NO_VALUE;
  const { count, basis, used } = tier;
  return {
    pieces: [String(tier.tier.level)],
    className: isNearNextTier(tier) ? 'warn' : '',
    title: `Tier ${tier.tier.level} of ${count} by the value at ${basis}, ${plainPercent(used)} of it used`,
  };
}

/** Fields the exchange API does not define a format for: shown as received, apart from the others. */
export const RAW_FIELDS = ['tpSl', 'tpSlOrders'] as const;

/** Every other field of the record, in the groups of the expanded row. */
export const FIELD_GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly PositionField[];
}[] = [
  {
    title: 'Identity',
    fields: [
      'positionId',
      'uid',
      'symbolId',
      'side',
      'positionMode',
      'marginMode',
      'leverage',
      'ctime',
      'lastUpdateTime',
    ],
  },
  {
    title: 'Value and margin',
    fields: [
      'quantity',
      'entryValue',
      'avgEntryPrice',
      'markPrice',
      'lastPrice',
      'liquidPrice',
      'margin',
      'marginRate',
      'maintainMargin',
      'otherMaintainMargin',
    ],
  },
  {
    title: 'Fees',
    fields: ['feeAmount', 'feeAssetId', 'frozenFee', 'closedFee', 'otherClosedFee', 'bkrFee'],
  },
  { title: 'Take profit, stop loss', fields: ['tpSlSize', 'posTpSlSize'] },
  { title: 'PnL', fields: ['profitUnreal', 'profitUnrealRate', 'realizedPnl', 'pnl'] },
  {
    title: 'Funding, deductions',
    fields: ['fundAmount', 'deductFeeAmount', 'deductFundingAmount', 'deductLossAmount'],
  },
];
