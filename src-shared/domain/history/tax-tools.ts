/** The tax tools that have a layout of their own, by the names they give themselves. */
export const TAX_TOOLS = {
  koinly: 'Koinly',
  cointracking: 'CoinTracking',
  cointracker: 'CoinTracker',
  rotki: 'rotki',
  bittytax: 'BittyTax',
  blockpit: 'Blockpit',
  cryptotaxcalculator: 'CryptoTaxCalculator',
} as const;
export type TaxTool = keyof typeof TAX_TOOLS;
