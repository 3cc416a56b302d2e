/** Computes the distance between two prices in percent. Prices above 0; calculated values are accepted. */
import { absolute, amount, calculated, divide, multiply, print, subtract } from '../../amount.ts';

const HUNDRED = amount('100');

/** Returns the signed distance: −1.5 if `price` is 1.5 % below `from`. */
export function distancePercent(price: string, from: string): string {
  const base = calculated(from);
  return print(divide(multiply(subtract(calculated(price), base), HUNDRED), base));
}

export const deviationPercent = (price: string, from: string): string =>
  print(absolute(calculated(distancePercent(price, from))));
