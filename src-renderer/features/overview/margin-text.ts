/** Explains how a margin ratio is calculated, as text to copy: figures in full, each with its source. */
import type { CoinMargin, IsolatedPart } from '../../../src-shared/domain/risk/margin-breakdown.ts';
import { plainPercent } from '../../text/number-text.ts';
import { sideText } from '../../text/shown-text.ts';

const figure = (text: string | null): string => text ?? '—';
const ratioText = (share: string | null): string => (share === null ? '—' : `≈ ${plainPercent(share)}`);

function coinLines({ asset, share, equity, ratio, parts, rest }: CoinMargin): string[] {
  const { coin } = asset;
  const rate = figure(asset.crossedMaintainMarginRate);
  const sent =
    share === null ? `${rate} (exchange; unit not known)` : `${plainPercent(share)} (exchange: ${rate})`;
  return [
    `Margin ratio ${coin} = maintenance margin with closing fees ÷ cross equity`,
    `${figure(asset.crossedMaintainMargin)} (exchange) ÷ ${figure(equity)} (Ballast ≈) = ${sent}; Ballast ${ratioText(ratio)}`,
    ...parts.map(
      ({ position, both }) =>
        `  ${position.symbolId} ${sideText(position.side, 'position').pieces[0]}: maintenance ${figure(position.maintainMargin)} + closing fee ${figure(position.closedFee)} = ${figure(both)}`,
    ),
    ...(rest === null ? [] : [`  not explained by these positions: ${rest}`]),
    `Cross equity ${coin} = balance ${figure(asset.balance)} − isolated margin ${figure(asset.isolatedMargin)} − isolated orders ${figure(asset.isolatedLocked)} + cross unrealised PnL ${figure(asset.crossProfitUnreal)} = ${figure(equity)}`,
  ];
}

const isolatedLine = ({ position, both, behind, ratio }: IsolatedPart): string =>
  `${position.symbolId} ${sideText(position.side, 'position').pieces[0]} isolated: maintenance and closing fee ${figure(both)} ÷ (margin ${figure(position.margin)} + unrealised PnL ${figure(position.profitUnreal)} = ${figure(behind)}) = ${ratioText(ratio)}`;

export const marginFormula = (coin: CoinMargin | null, isolated: readonly IsolatedPart[]): string =>
  [...(coin === null ? [] : coinLines(coin)), ...isolated.map(isolatedLine)].join('\n');
