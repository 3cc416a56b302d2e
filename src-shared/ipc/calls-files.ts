/** Defines the call that saves a small file made by the window: a chart, a table or a template. */
import * as v from 'valibot';
import { call, textUpTo } from './call.ts';

/** Characters of base64: 5 MiB. A chart at four times its size is below 1 MiB. */
const MAX_PICTURE = 7_000_000;
const MAX_TEXT = 2_000_000;
/** Looks for what base64 cannot hold: a pattern of what it may hold can overflow the engine’s stack on long text. */
const isBase64 = (text: string): boolean =>
  text !== '' && text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));

/** Suggested name; sanitised before a dialog shows it. */
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

export const savedFileSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('png'),
    name,
    data: v.pipe(v.string(), v.maxLength(MAX_PICTURE), v.check(isBase64, 'base64 without line breaks')),
  }),
  v.strictObject({
    kind: v.literal('csv'),
    name,
    data: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(MAX_TEXT),
      v.check(
        (text) => !text.includes('\u0000') && text.isWellFormed(),
        'whole characters, none of them NUL',
      ),
    ),
  }),
]);
export type SavedFile = v.InferOutput<typeof savedFileSchema>;

export const FILE_CALLS = {
  /** Asks where to save and writes atomically; returns the name, or null if cancelled. */
  'files.save': call(savedFileSchema).returns<{ readonly path: string } | null>(),
  /** Shows a finished export in its folder. */
  'files.show': call(v.strictObject({ id: textUpTo(60) })).returns<null>(),
} as const;
