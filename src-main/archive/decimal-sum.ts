/**
 * A running sum of decimal texts, exact: plain whole numbers by how many decimals they carry, put by before they
 * leave the safe integers. A million trades are summed while they are stored; as `Amount`s that took a fifth of it.
 */
import { add, calculated, ZERO, type Amount } from '../../src-shared/amount.ts';

export interface DecimalSum {
  /** A decimal as received, or a sum of such. Throws AmountError for what is no plain decimal. */
  add(text: string): void;
  total(): Amount;
}

/** Texts up to this length are below 10^14, so hundreds of them fit between two looks. */
const SHORT = 14;
const PUT_BY = 2 ** 52;
const [MINUS, POINT, ZERO_CODE] = [45, 46, 48];

export function createDecimalSum(from: Amount = ZERO): DecimalSum {
  /** By the number of decimals: the sum in units of the last one. */
  const open: number[] = [];
  let closed = from;

  function putBy(decimals: number): void {
    const digits = String(Math.abs(open[decimals]!)).padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
    closed = add(closed, calculated(open[decimals]! < 0 ? `-${text}` : text));
    open[decimals] = 0;
  }

  return {
    add(text) {
      const negative = text.charCodeAt(0) === MINUS;
      let value = 0;
      let point = text.length;
      let plain = text.length <= SHORT;
      const first = negative ? 1 : 0;
      for (let at = first; plain && at < text.length; at++) {
        const digit = text.charCodeAt(at) - ZERO_CODE;
        if (digit >= 0 && digit <= 9) value = value * 10 + digit;
        else if (text.charCodeAt(at) === POINT && point === text.length && at > first) point = at;
        else plain = false;
      }
      if (!plain || point === text.length - 1 || text === '' || text === '-') {
        closed = add(closed, calculated(text));
        return;
      }
      const decimals = Math.max(0, text.length - 1 - point);
      while (open.length <= decimals) open.push(0);
      open[decimals]! += negative ? -value : value;
      if (Math.abs(open[decimals]!) >= PUT_BY) putBy(decimals);
    },
    total() {
      for (let decimals = 0; decimals < open.length; decimals++) if (open[decimals] !== 0) putBy(decimals);
      return closed;
    },
  };
}
