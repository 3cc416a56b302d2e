/** The first file in a backup: what wrote it and what it holds, so that the rest can be verified. */
import * as v from 'valibot';
import { textUpTo, whole } from '../../src-shared/ipc/call.ts';
import { utcSecond } from '../../src-shared/time.ts';

export const MANIFEST = 'manifest.json';
/** A manifest of 2,000 files has 300 KB. */
export const MAX_MANIFEST_BYTES = 1_000_000;

export const manifestSchema = v.object({
  format: v.literal('ballast-backup-1'),
  /** Version of Ballast that wrote it. */
  version: textUpTo(40),
  /** Wall clock, ms. */
  createdAt: whole(0, 8.64e15),
  /** The schedule that wrote it and may delete it; null for a manual backup. */
  schedule: v.nullable(textUpTo(60)),
  files: v.pipe(
    v.array(
      v.object({
        name: textUpTo(100),
        bytes: whole(0),
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
