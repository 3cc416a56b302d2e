import { expect, it } from 'vitest';
import { tiersCsv } from './tier-text.ts';

const line = (level: number) => ({
  tier: {
    level,
    minPositionValue: '0',
    maxPositionValue: '250000.50',
    maintainMarginRate: '0.0050',
    maxLeverage: '100',
  },
  maintenanceAtTop: '1250.0025',
  topQuantity: null,
  use: null,
});

it('writes the tiers as received, and no cell that a spreadsheet would execute', () => {
  expect(tiersCsv('=BTC,1', [line(1), line(2)], 'BTC')).toBe(
    'symbolId,level,minPositionValue,maxPositionValue,maintainMarginRate,maxLeverage,' +
      'maintenanceAtTop (Ballast),top in BTC (Ballast)\r\n' +
      '"\'=BTC,1",1,0,250000.50,0.0050,100,1250.0025,\r\n' +
      '"\'=BTC,1",2,0,250000.50,0.0050,100,1250.0025,\r\n',
  );
});
