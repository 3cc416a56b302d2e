/** The position record of the exchange API's documentation, with a test's changes. */
import type { Position } from '../../src-shared/exchange-api/account.ts';
import { position as sample } from './order-samples.ts';

const DOCUMENTED: Partial<Position> = {
  quantity: '9.850',
  avgEntryPrice: '95861.4',
  markPrice: '97412.5',
  lastPrice: '97408.0',
  liquidPrice: '81117.0',
  margin: '47211.74',
  maintainMargin: '9595.13',
  marginRate: '0.1011',
  entryValue: '944234.79',
  profitUnreal: '15278.34',
  profitUnrealRate: '0.3236',
  realizedPnl: '2318.44',
  pnl: '2790.56',
  fundAmount: '-38.6124',
  feeAmount: '472.1200',
  frozenFee: '479.7566',
  closedFee: null,
  otherClosedFee: '479.7566',
  otherMaintainMargin: null,
  tpSlSize: 2,
  posTpSlSize: 2,
  ctime: 1_763_388_171_000,
  lastUpdateTime: 1_763_716_443_000,
};

export const position = (change: Partial<Position> = {}): Position => sample({ ...DOCUMENTED, ...change });
