/** The columns the user hid, showed or moved, in the window's local storage. */
import * as v from 'valibot';

const schema = v.object({
  order: v.array(v.string()),
  hidden: v.array(v.string()),
  shown: v.array(v.string()),
});
export type TableLayout = Readonly<v.InferOutput<typeof schema>>;

const NONE: TableLayout = { order: [], hidden: [], shown: [] };
const keyOf = (id: string): string => `ballast.columns.${id}`;

export function readLayout(id: string): TableLayout {
  const text = localStorage.getItem(keyOf(id));
  if (text === null) return NONE;
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : NONE;
  } catch {
    return NONE; // not JSON: of an older version; the columns are as designed
  }
}

export function writeLayout(id: string, layout: TableLayout): void {
  localStorage.setItem(keyOf(id), JSON.stringify(layout));
}
