/** The columns the user hid, showed or moved, in the window's local storage. */
import * as v from 'valibot';
import { readStored, writeStored } from '../layout/stored.ts';

const schema = v.object({
  order: v.array(v.string()),
  hidden: v.array(v.string()),
  shown: v.array(v.string()),
});
export type TableLayout = Readonly<v.InferOutput<typeof schema>>;

const NONE: TableLayout = { order: [], hidden: [], shown: [] };

export const readLayout = (id: string): TableLayout => readStored(`columns.${id}`, schema, NONE);

export function writeLayout(id: string, layout: TableLayout): void {
  writeStored(`columns.${id}`, layout);
}
