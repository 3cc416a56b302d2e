import { CUT, type Piece, type ShownText, textOf, UNIT } from '../../text/shown-text.ts';

const classNameOf = (piece: Piece): string | null => (typeof piece === 'string' ? null : piece.className);

/** Returns the text's longest line, without the digits that are cut, and its unit, which has a place of its own. */
export function seenText({ pieces }: ShownText): { readonly text: string; readonly unit: string } {
  let longest = '';
  let line = '';
  let unit = '';
  for (const piece of pieces) {
    const name = classNameOf(piece);
    if (typeof piece !== 'string' && piece.line) line = '';
    if (name === UNIT) unit = textOf(piece);
    else if (name !== CUT) line += textOf(piece);
    if (line.length > longest.length) longest = line;
  }
  return { text: longest, unit };
}

const shownIn = new WeakMap<Element, ShownText>();
/** Returns a written text's title for a tooltip: writing titles to a thousand cells each second would cost too much. */
export const titleOf = (element: Element): string | undefined => shownIn.get(element)?.title;

/**
 * Returns a function that writes a text into `place` as ShownText.svelte draws it, but without a component, which is
 * cheaper for cells that change each second. It touches only what differs, and returns whether anything did.
 */
export function textWriter(place: HTMLElement): (shown: ShownText) => boolean {
  const line = place.appendChild(document.createElement('span'));
  let before: ShownText = { pieces: [], className: '' };
  let nodes: Text[] = [];
  return (shown) => {
    const { pieces } = shown;
    const restyled = shown.className !== before.className || nodes.length === 0;
    if (restyled) line.className = `shown ${shown.className}`;
    const bars = shown.bar !== before.bar;
    if (bars) setBar(line, shown.bar);
    let written = restyled || bars;
    const same =
      pieces.length === before.pieces.length &&
      pieces.every((piece, at) => classNameOf(piece) === classNameOf(before.pieces[at]!));
    if (same)
      for (const [at, piece] of pieces.entries()) {
        const text = textOf(piece);
        if (text === textOf(before.pieces[at]!)) continue;
        nodes[at]!.data = text;
        written = true;
      }
    else {
      written = true;
      nodes = pieces.map((piece) => new Text(textOf(piece)));
      line.replaceChildren(...pieces.map((piece, at) => partOf(piece, nodes[at]!)));
    }
    before = shown;
    shownIn.set(line, shown);
    return written;
  };
}

function setBar(line: HTMLElement, bar: number | undefined): void {
  if (bar === undefined) line.style.removeProperty('--bar');
  else line.style.setProperty('--bar', `${bar}%`);
}

function partOf(piece: Piece, node: Text): Node {
  if (typeof piece === 'string') return node;
  const part = document.createElement('i');
  part.className = piece.className;
  if (piece.silent) part.setAttribute('aria-hidden', 'true');
  part.append(node);
  return part;
}
