/** How far one price is from another, percent. Prices above 0; results of the maths are accepted. */
import { absolute, amount, calculated, divide, multiply, print, subtract } from '../../amount.ts';

const HUNDRED = amount('100');

/** Signed: −1.5 where `price` is 1.5 % below `from`. */
export function distancePercent(price: string, from: string): string {
  const base = calculated(from);
  return print(divide(multiply(subtract(calculated(price), base), HUNDRED), base));
}

export const deviationPercent = (price: string, from: string): string =>
  print(absolute(calculated(distancePercent(price, from))));
