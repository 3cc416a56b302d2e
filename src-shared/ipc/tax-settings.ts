/** Defines the user's settings of tax files: the column name Koinly expects, and rotki's identifiers of coins. */
import * as v from 'valibot';
import { textUpTo } from './call.ts';

const MAX_ROTKI_ASSETS = 500;
/** An identifier such as `BTC` or `eip155:1/erc20:0xdAC1…`. */
const rotkiIdentifier = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9][A-Za-z0-9:/._-]{0,127}$/,
    'an identifier such as eip155:1/erc20:0xdAC1…, without spaces',
  ),
);

export const taxOptionsSchema = v.strictObject({
  koinlyHeader: v.picklist(['Tag', 'Label']),
  rotkiAssets: v.pipe(
    v.record(textUpTo(60), rotkiIdentifier),
    v.check((assets) => Object.keys(assets).length <= MAX_ROTKI_ASSETS, `at most ${MAX_ROTKI_ASSETS} coins`),
  ),
});
export type TaxSettings = v.InferOutput<typeof taxOptionsSchema>;

/** Returns what is wrong with an identifier typed for rotki, or null. */
export function rotkiIdentifierFault(text: string): string | null {
  const result = v.safeParse(rotkiIdentifier, text);
  return result.success ? null : result.issues[0].message;
}
