/** Defines the messages between the main thread and the practice worker. */
import * as v from 'valibot';
import { practiceTermsSchema } from '../../src-shared/ipc/practice.ts';

export interface WorkerInput {
  readonly dataDir: string;
  readonly seed?: number;
  readonly speed?: number;
  readonly history?: number;
  readonly port?: number;
}

const inputSchema = v.object({
  dataDir: v.string(),
  seed: v.exactOptional(v.number()),
  speed: v.exactOptional(v.number()),
  history: v.exactOptional(v.number()),
  port: v.exactOptional(v.number()),
});

const reportSchema = v.object({
  url: v.string(),
  credentials: v.object({ key: v.string(), secret: v.string() }),
  controls: v.object({ url: v.string(), token: v.string() }),
  exchangeId: v.string(),
  settings: practiceTermsSchema,
  fresh: v.boolean(),
  movedAside: v.nullable(v.string()),
});

export type WorkerReport = v.InferOutput<typeof reportSchema>;

/** Parses the message. Throws if the other side was built from another version. */
export const inputOf = (value: unknown): WorkerInput => v.parse(inputSchema, value);
export const reportOf = (value: unknown): WorkerReport => v.parse(reportSchema, value);
