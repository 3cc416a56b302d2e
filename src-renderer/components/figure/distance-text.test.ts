import { plainText, shareText } from '../../text/shown-text.ts';
import { expect, it } from 'vitest';
import { liquidationText } from '../../../src-shared/domain/alerts/messages.ts';
import { DEFAULT_ALERTS } from '../../../src-shared/ipc/default-settings.ts';
import { nearTicks } from '../../state/order/confirmations.ts';
import { healthText, nearText } from '../../text/health-text.ts';
import { plainDistance } from '../../text/number-text.ts';
import { position } from '../../../tests/domain/order-samples.ts';
import { distanceText } from './distance-text.ts';

const of = (share: string | null, side: string) => {
  const shown = distanceText(share, side);
  return [plainText(shown), shown.className.replace('percent distance', '').trim()];
};

it('grades the distance, counts a passed price as danger, and shows no digits beyond 1,000 %', () => {
  expect(of('-0.0449', 'BUY')).toEqual(['−4.49%', 'danger']);
  expect(of('-0.0985', 'BUY')).toEqual(['−9.85%', 'warn']);
  expect(of('-0.9308', 'BUY')).toEqual(['−93.08%', '']);
  expect(of('0.3', 'BUY')).toEqual(['+30.00%', 'danger']);
  expect(of('-0.3', 'SELL')).toEqual(['−30.00%', 'danger']);
  expect(of('22.08', 'SELL')).toEqual(['>1,000%', '']);
  expect(of('10', 'SELL')).toEqual(['+1,000.0%', '']);
  expect(of(null, 'BUY')).toEqual(['—', '']);
});

it('is written the same wherever it stands: a table, a sentence, the figures of an order', () => {
  const far = position({ side: 'SELL', markPrice: '1', liquidPrice: '22.877' });
  const health = {
    grade: 'danger',
    cause: { by: 'distance', position: far, share: '21.877' },
    unknown: [],
  } as const;
  expect(plainText(shareText('21.877', { distance: true, signed: true }))).toBe('>1,000%');
  expect(shareText('21.877', { distance: true, signed: true }).title).toBe('21.877');
  expect([nearText(health), healthText(health)]).toEqual([
    'BTC-USDT-M >1,000%',
    'BTC-USDT-M is >1,000% from liquidation',
  ]);
  expect([plainDistance('21.877'), plainDistance('1.3298'), plainDistance('-0.093981')]).toEqual([
    '>1,000%',
    '+132.9%',
    '−9.39%',
  ]);
  expect(of('1.3298', 'SELL')).toEqual(['+132.9%', '']);
});

it('is never shown larger than it is, wherever it stands', () => {
  // 9.3981 % and 9.9996 %.
  const near = position({ side: 'BUY', markPrice: '100000', liquidPrice: '90601.9' });
  expect(of('-0.093981', 'BUY')).toEqual(['−9.39%', 'warn']);
  expect(of('-0.099996', 'BUY')).toEqual(['−9.99%', 'warn']);
  expect(of('0.099996', 'SELL')).toEqual(['+9.99%', 'warn']);
  const cause = { by: 'distance', position: near, share: '-0.093981' } as const;
  const health = { grade: 'caution', cause, unknown: [] } as const;
  expect([nearText(health), healthText(health)]).toEqual([
    'BTC-USDT-M −9.39%',
    'BTC-USDT-M is 9.39% from liquidation',
  ]);
  expect(liquidationText(near, DEFAULT_ALERTS.rules.liquidation).title).toBe(
    'BTC-USDT-M long: liquidation ≈ 9.39% away',
  );
  expect(nearTicks('0.049996')).toEqual(['I accept liquidation ≈ 4.99% from the mark']);
});
