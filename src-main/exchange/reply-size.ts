/**
 * Checks a reply's structure before it is parsed. Measured on Node 24: 16 MB of `[[[[…` or `{},{},…`, within the size
 * limit, take the JSON parser half a gigabyte and block the thread for seconds.
 */
import { MAX_DEPTH } from '../../src-shared/exchange-api/lossless-json.ts';

/** Smaller replies are not checked: 1 MB of brackets takes only 35 MB parsed. */
const MIN_CHECKED_BYTES = 1024 * 1024;
/** 1,000 contracts of 50 tiers each are 51,000 records. */
const MAX_RECORDS = 200_000;
const MAX_VALUES = 1_000_000;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

const opens = (code: number): boolean => code === 91 || code === 123;
const closes = (code: number): boolean => code === 93 || code === 125;

/** Reports whether these bytes, if JSON, contain far more values or levels than any reply of the API. */
export function isBloated(body: Uint8Array): boolean {
  if (body.length < MIN_CHECKED_BYTES) return false;
  let depth = 0;
  let records = 0;
  let values = 0;
  let inText = false;
  for (let at = 0; at < body.length; at++) {
    const code = body[at]!;
    if (inText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === COMMA) values++;
    else if (opens(code)) {
      depth++;
      records++;
    } else if (closes(code)) depth--;
    if (depth > MAX_DEPTH || records > MAX_RECORDS || values > MAX_VALUES) return true;
  }
  return false;
}
