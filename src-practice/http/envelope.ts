/** The envelope of every API reply: `code`, `msg`, `success`, `data`. A reply is text; `data` is JSON text already. */
import type { Habits } from '../habits.ts';
import type { Rejection } from '../engine/request.ts';

/** A rejection with an HTTP status independent of the habits. */
export interface HttpRejection extends Rejection {
  readonly status?: number;
}

/** The result of an endpoint. */
export type Handled<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & HttpRejection);

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json;charset=UTF-8';

export const jsonReply = (status: number, body: string): Reply => ({
  status,
  body,
  headers: { 'content-type': JSON_TYPE },
});

/** Wraps `data`, which is JSON text. */
export function success(data: string, habits: Habits): Reply {
  const extra = habits['extra-fields'] === 'some' ? ',"traceId":"0a1b2c"' : '';
  return jsonReply(200, `{"code":"0","msg":"success","success":true,"data":${data}${extra}}`);
}

/** Rejects a request before any endpoint: unknown, not allowed or not signed. */
export const failure = (code: string, why: string, status = 200): Reply =>
  jsonReply(status, `{"code":"${code}","msg":${JSON.stringify(why)},"success":false,"data":null}`);

/** Rejects a request in an endpoint, in the shape and with the status of the exchange's habits. */
export function rejection({ code, why, status }: HttpRejection, habits: Habits): Reply {
  switch (habits.failures) {
    case '200':
      return failure(code, why, status ?? 200);
    case '400':
      return failure(code, why, 400);
    case '500':
      return failure(code, why, 500);
    case 'no-message':
      return jsonReply(status ?? 200, `{"code":"${code}","success":false}`);
    case 'other-shape':
      return jsonReply(400, `{"error":${JSON.stringify(why)},"status":${code}}`);
  }
}
