/** The columns of Positions that need no cell of their own; the rest are snippets of the pane. */
import type { Position } from '../../../src-shared/interface/account.ts';
import { positionFields } from '../../../src-shared/interface/account.ts';
import type { Column } from '../../components/columns.ts';
import type { PositionRow } from './positions.svelte.ts';

type DecimalName = {
  [K in keyof Position]: Position[K] extends string | null ? K : never;
}[keyof Position];

const help = (name: keyof typeof positionFields): string => positionFields[name].meaning;

/** A decimal field. Prices and quantities share a scale by contract, money by margin coin. */
export function decimalColumn(
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
    scaleBy: of === 'contract' ? (row) => row.position.symbolId : (row) => row.coin ?? row.position.symbolId,
    ...more,
  };
}

/** Hidden until chosen: every one of them is also in the expanded row. */
export const CHOSEN_COLUMNS: readonly Column<PositionRow>[] = [
  decimalColumn('lastPrice', 'Last', 'contract', { off: true }),
  decimalColumn('entryValue', 'Entry value', 'money', { off: true }),
  decimalColumn('maintainMargin', 'Maint. margin', 'money', { off: true }),
  decimalColumn('fundAmount', 'Funding', 'money', { off: true, signed: true }),
  decimalColumn('feeAmount', 'Fees', 'money', { off: true }),
  decimalColumn('pnl', 'Closing profit', 'money', { off: true, signed: true }),
];

/** Every field of the record, in the groups of the expanded row. */
export const DETAIL_GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly (keyof Position)[];
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
  { title: 'Take-profit, stop-loss', fields: ['tpSlSize', 'posTpSlSize', 'tpSl', 'tpSlOrders'] },
  { title: 'Profit', fields: ['profitUnreal', 'profitUnrealRate', 'realizedPnl', 'pnl'] },
  {
    title: 'Funding, deductions',
    fields: ['fundAmount', 'deductFeeAmount', 'deductFundingAmount', 'deductLossAmount'],
  },
];
