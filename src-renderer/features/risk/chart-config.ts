/** The tier chart as a Chart.js configuration: two step lines over one log axis of position value. */
import type { ChartConfiguration, Plugin } from 'chart.js';
import { amount, multiply, toPixels } from '../../../src-shared/amount.ts';
import type { RiskTier } from '../../../src-shared/exchange-api/symbol-config.ts';
import type { ChartColours } from '../../components/chart/chart-colours.ts';
import { type ChartScale, logTicks, shortNumber, steps } from './tier-scale.ts';

const HUNDRED = amount('100');
export const ratePercent = (tier: RiskTier): number =>
  toPixels(multiply(amount(tier.maintainMarginRate), HUNDRED));
const leverage = (tier: RiskTier): number => toPixels(amount(tier.maxLeverage));

export function tierChart(
  tiers: readonly RiskTier[],
  scale: ChartScale,
  colours: ChartColours,
  marks: Plugin<'line'>,
): ChartConfiguration<'line'> {
  const levers = tiers.map(leverage).filter((value) => value > 0);
  const leverScale = { min: Math.min(...levers) / 1.4, max: Math.max(...levers) * 1.15 };
  return {
    type: 'line',
    data: {
      datasets: [
        {
          pointRadius: 0,
          data: steps(tiers, scale, ratePercent),
          yAxisID: 'y',
          borderColor: colours.accent,
          borderWidth: 2,
        },
        {
          pointRadius: 0,
          data: steps(tiers, scale, leverage),
          yAxisID: 'y1',
          borderColor: colours.t2,
          borderWidth: 1.5,
          borderDash: [4, 4],
        },
      ],
    },
    options: {
      events: [],
      layout: { padding: { top: 22, right: 4 } },
      plugins: { tooltip: { enabled: false } },
      scales: axes(scale, leverScale, colours),
    },
    plugins: [marks],
  };
}

function axes(
  scale: ChartScale,
  leverScale: ChartScale,
  colours: ChartColours,
): NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']> {
  const border = { display: false };
  return {
    x: {
      type: 'logarithmic',
      ...scale,
      grid: { color: colours.grid },
      border,
      ticks: { color: colours.axis, maxRotation: 0, autoSkipPadding: 8, callback: shortNumber },
      afterBuildTicks: (axis) => {
        axis.ticks = logTicks(scale).map((value) => ({ value }));
      },
    },
    y: {
      type: 'linear',
      min: 0,
      grid: { color: colours.grid },
      border,
      ticks: { color: colours.accent, maxTicksLimit: 7, callback: (value) => `${shortNumber(value)}%` },
    },
    y1: {
      type: 'logarithmic',
      position: 'right',
      ...leverScale,
      grid: { display: false },
      border,
      ticks: { color: colours.axis, callback: (value) => `${shortNumber(value)}×` },
      afterBuildTicks: (axis) => {
        axis.ticks = logTicks(leverScale, 9).map((value) => ({ value }));
      },
    },
  };
}
