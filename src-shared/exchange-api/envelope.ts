/** The envelope around every reply: `code` STRING, `msg` STRING, `success` BOOLEAN, `data`. */
import { isRecord } from './fields.ts';

export interface Envelope {
  readonly code: string;
  readonly msg: string;
  readonly success: boolean;
  readonly data: unknown;
}

/** Code of a successful call. */
const SUCCESS_CODE = '0';

/** Reports whether both success signs agree; one without the other is a contradiction. */
export const isSuccess = (envelope: Envelope): boolean => envelope.code === SUCCESS_CODE && envelope.success;

/**
 * Reads an envelope from a parsed body, or names the missing part. `msg` and `data` may be absent or null in a failed
 * call, whose shape is not documented; `code` must be text.
 */
export function readEnvelope(body: unknown): Envelope | { readonly missing: string } {
  if (!isRecord(body)) return { missing: 'envelope' };
  const { code, msg, success, data } = body;
  if (typeof code !== 'string') return { missing: 'code' };
  if (typeof success !== 'boolean') return { missing: 'success' };
  return { code, success, msg: typeof msg === 'string' ? msg : '', data };
}
