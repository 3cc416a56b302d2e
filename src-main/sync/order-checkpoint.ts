/** Progress of the order sync, stored in the archive in one transaction with its rows. */
import * as v from 'valibot';
import { checkedJson, integer } from '../../src-shared/checked-json.ts';
import { orderPassSchema } from '../../src-shared/domain/history/order-windows.ts';

/** As stored; `provenTo` and `walk` are the spellings on disk. */
const orderCheckpointSchema = v.pipe(
  v.object({
    version: v.literal(1),
    provenTo: v.nullable(integer),
    completedAt: v.nullable(integer),
    walk: v.nullable(orderPassSchema),
  }),
  v.transform(({ version, provenTo, completedAt, walk }) => ({
    version,
    /** Every order created up to this time was read, except the gaps; null before the first complete pass. */
    verifiedTo: provenTo,
    /** Wall clock of that verification. */
    completedAt,
    /** null between passes. */
    pass: walk,
  })),
);
export type OrderCheckpoint = v.InferOutput<typeof orderCheckpointSchema>;

const FIRST: OrderCheckpoint = { version: 1, verifiedTo: null, completedAt: null, pass: null };

export const printOrderCheckpoint = ({ version, verifiedTo, completedAt, pass }: OrderCheckpoint): string =>
  JSON.stringify({ version, provenTo: verifiedTo, completedAt, walk: pass });

/** Parses a stored checkpoint. An unreadable one starts over: reading again costs time, trusting it could leave a gap. */
export const readOrderCheckpoint = (text: string | null): OrderCheckpoint =>
  (text === null ? null : checkedJson(orderCheckpointSchema, text)) ?? FIRST;
