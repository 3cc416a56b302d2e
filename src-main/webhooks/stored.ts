/** Defines the list of webhooks on disk. Addresses and tokens are in the keychain. */
import * as v from 'valibot';
import { webhookSettingsSchema } from '../../src-shared/ipc/webhooks.ts';

export const storedWebhooksSchema = v.strictObject({
  version: v.literal(1),
  webhooks: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.regex(/^webhook-[a-z0-9-]{1,40}$/)),
      settings: webhookSettingsSchema,
    }),
  ),
});
export type StoredWebhooks = v.InferOutput<typeof storedWebhooksSchema>;
export const NO_WEBHOOKS: StoredWebhooks = { version: 1, webhooks: [] };
