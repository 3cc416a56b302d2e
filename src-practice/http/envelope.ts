/** Every reply of the interface: `code`, `msg`, `success`, `data`. A reply is text; `data` is JSON text already. */
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

export const success = (data: string): Reply =>
  jsonReply(200, `{"code":"0","msg":"success","success":true,"data":${data}}`);

/** A refusal carries its reason in `msg` and no data; trading codes come with HTTP 200 (README.md). */
export const failure = (code: string, why: string, status = 200): Reply =>
  jsonReply(status, `{"code":"${code}","msg":${JSON.stringify(why)},"success":false,"data":null}`);
