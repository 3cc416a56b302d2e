/** Where the order sync is, as the archive keeps it beside the rows it speaks of. */
import * as v from 'valibot';
import { orderWalkSchema } from '../../src-shared/domain/history/order-windows.ts';

const integer = v.pipe(v.number(), v.safeInteger());

const orderCheckpointSchema = v.object({
  version: v.literal(1),
  /** Every order created up to this time was read, but for the gaps; null before the first proof. */
  provenTo: v.nullable(integer),
  /** Wall clock of that proof. */
  completedAt: v.nullable(integer),
  /** null between walks. */
  walk: v.nullable(orderWalkSchema),
});
export type OrderCheckpoint = v.InferOutput<typeof orderCheckpointSchema>;

const FIRST: OrderCheckpoint = { version: 1, provenTo: null, completedAt: null, walk: null };

export const printOrderCheckpoint = (checkpoint: OrderCheckpoint): string => JSON.stringify(checkpoint);

/** One that cannot be read starts over: reading again costs time, trusting it could leave a gap. */
export function readOrderCheckpoint(text: string | null): OrderCheckpoint {
  if (text === null) return FIRST;
  try {
    const parsed = v.safeParse(orderCheckpointSchema, JSON.parse(text));
    return parsed.success ? parsed.output : FIRST;
  } catch (error) {
    if (error instanceof SyntaxError) return FIRST;
    throw error;
  }
}
