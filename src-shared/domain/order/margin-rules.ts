/** Rules on balance, leverage and risk tiers, by the preview of the order. */
import {
  add,
  type Amount,
  amount,
  calculated,
  divide,
  greater,
  isNegative,
  isPositive,
  larger,
  multiply,
  print,
  round,
  subtract,
} from '../../amount.ts';
import { type KnownContract, leverageUnknown, type Suggestion } from '../instrument/trading-context.ts';
import { use } from './check.ts';
import { breach, type Finding, passes, reasonOf, type RuleInput, unchecked, warns } from './rule-input.ts';
import type { OrderPreview } from './preview.ts';
import { feeFloor, priceOfOne, useWorth } from './size.ts';
import { quantityForShare } from './sizing.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

export function balanceCovers(order: RuleInput): Finding | null {
  const { contract, preview } = order;
  if (contract === null) return null;
  if (preview === null) return unchecked(`Balance cannot be checked: ${reasonOf(order)}`);
  if (preview.effect.opened === '0') return passes('Reduces: needs no margin');
  const freeMargin = preview.freeMargin.before;
  if (freeMargin.value === null) return unchecked(`Balance cannot be checked: ${freeMargin.reason}`);
  const { opened, closed } = preview.effect;
  const fee = preview.feeTaker.value ?? '0';
  const openingFee = divide(
    multiply(calculated(fee), calculated(opened)),
    add(calculated(opened), calculated(closed)),
  );
  const needed = add(calculated(preview.initialMargin), openingFee);
  if (!greater(needed, calculated(freeMargin.value)))
    return passes(fee === '0' ? 'Balance covers the margin' : 'Balance covers margin and fee');
  const needs = isPositive(openingFee) ? 'Margin and fee need' : 'Margin needs';
  const free = isNegative(calculated(freeMargin.value)) ? 'below 0' : freeMargin.value;
  const { margin: coin } = contract.coins;
  const text = `${needs} ${print(round(needed, 8, 'ceil'))} ${coin}; free margin is ${free} ${coin}.`;
  const suggestion = affordable(preview, freeMargin.value);
  const least = add(leastMargin(preview), openingFee);
  return order.isLeverageAssumed && !greater(least, calculated(freeMargin.value))
    ? warns(`${text} ${assumedText(contract)}`, suggestion)
    : breach(text, suggestion);
}

const assumedText = (contract: KnownContract): string =>
  `That is at ${contract.leverage}×, the contract’s default; ${leverageUnknown(contract)}.`;

/** Returns the initial margin at the highest leverage of any tier. */
function leastMargin({ contract, initialMargin }: OrderPreview): Amount {
  const most = contract.config.riskLimitConfigs
    .map((tier) => amount(tier.maxLeverage))
    .reduce(larger, amount(contract.leverage));
  return divide(multiply(calculated(initialMargin), amount(contract.leverage)), most);
}

/** Returns the largest quantity the balance covers, for an order that only opens. */
function affordable(preview: OrderPreview, freeMargin: string): Suggestion | undefined {
  const { contract, effect } = preview;
  const { quantityDecimals: decimals, feeRateTaker } = contract.specs;
  if (decimals === null || effect.closed !== '0') return undefined;
  const quantity = quantityForShare({
    contractSide: contract.side,
    freeMargin,
    share: '1',
    leverage: contract.leverage,
    price: priceOfOne(contract, preview.price),
    feeRate: feeFloor(feeRateTaker),
    decimals,
  });
  return isPositive(amount(quantity)) ? use('quantity', quantity, contract.coins.quantity) : undefined;
}

const allows = ({ contract }: OrderPreview, tier: RiskTier): boolean =>
  !greater(amount(contract.leverage), amount(tier.maxLeverage));

/** Requires the position afterwards to be within the last tier, and within the tier its leverage allows. */
export function tierHolds(order: RuleInput): Finding | null {
  const { preview } = order;
  if (preview === null) return null;
  const { contract, after, effect } = preview;
  if (effect.opened === '0' || !after?.tier) return null;
  const tiers = contract.config.riskLimitConfigs;
  const last = tiers.at(-1);
  if (last && greater(calculated(after.value), amount(last.maxPositionValue)))
    return breach(
      `The position would be above the contract’s largest size of ${last.maxPositionValue} ${contract.coins.margin}.`,
      withinValue(preview, last.maxPositionValue),
    );
  const most = tiers.findLast((one) => allows(preview, one));
  if (most === undefined || allows(preview, after.tier)) return null;
  const { level, maxLeverage } = after.tier;
  const text = `At ${contract.leverage}× the position would be too large: tier ${String(level)} allows ${maxLeverage}×.`;
  const suggestion = withinValue(preview, most.maxPositionValue);
  return order.isLeverageAssumed
    ? warns(`${text} ${assumedText(contract)}`, suggestion)
    : breach(`${text} Lower the quantity: the exchange API cannot change the leverage.`, suggestion);
}

function withinValue(preview: OrderPreview, most: string): Suggestion | undefined {
  const { contract, before, effect, markPrice } = preview;
  if (effect.closed !== '0') return undefined;
  return useWorth(contract, subtract(amount(most), calculated(before?.value ?? '0')), markPrice);
}

export function leverageAllowed(order: RuleInput): Finding | null {
  const { contract, preview } = order;
  if (contract === null) return null;
  if (preview === null) return unchecked(`Leverage cannot be checked: ${reasonOf(order)}`);
  const { after, effect } = preview;
  if (!after || effect.opened === '0') return null;
  if (!after.tier) return unchecked('Leverage: the contract has no risk tiers');
  if (tierHolds(order) !== null) return null;
  if (!contract.config.riskLimitConfigs.some((one) => allows(preview, one))) {
    const above = `Leverage ${contract.leverage}× is above what the contract allows.`;
    return order.isLeverageAssumed
      ? warns(`${above} ${assumedText(contract)}`)
      : breach(`${above} The exchange API cannot change it.`);
  }
  const { level, maxLeverage } = after.tier;
  const text = `Leverage ${contract.leverage}× within tier ${String(level)} limit ${maxLeverage}×`;
  return contract.leverageFrom === 'contract default'
    ? unchecked(`${text}; ${contract.leverage}× is the contract’s default; your setting is unknown`)
    : passes(text);
}
