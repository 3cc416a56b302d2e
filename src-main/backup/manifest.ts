/** The first file in a backup: what wrote it and what it holds, so that the rest can be verified. */
import * as v from 'valibot';
import { utcSecond } from '../../src-shared/time.ts';

export const MANIFEST = 'manifest.json';
/** A manifest of 2,000 files has 300 KB. */
export const MAX_MANIFEST_BYTES = 1_000_000;

const bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const manifestSchema = v.object({
  format: v.literal('ballast-backup-1'),
  /** Version of Ballast that wrote it. */
  version: v.pipe(v.string(), v.maxLength(40)),
  /** Wall clock, ms. */
  createdAt: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15)),
  /** The schedule that wrote it and may delete it; null for a manual backup. */
  schedule: v.nullable(v.pipe(v.string(), v.maxLength(60))),
  files: v.pipe(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.maxLength(100)),
        bytes,
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      }),
    ),
    v.maxLength(2_000),
  ),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;
export type BackedUpFile = Manifest['files'][number];

const NAME = /^Ballast \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\dZ\.tar\.gz$/;

/** Returns the name of a backup made now, in UTC. `now`: wall clock, ms. */
export const backupName = (now: number): string => `Ballast ${utcSecond(now).replaceAll(':', '.')}Z.tar.gz`;

export const isBackupName = (name: string): boolean => NAME.test(name);
