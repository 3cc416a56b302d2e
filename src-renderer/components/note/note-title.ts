import type { NoteText } from '../../../src-shared/domain/history/order-notes.ts';

/** Returns a note's tags and text as the title of its mark; while amounts are hidden, tags only. */
export const noteTitle = ({ tags, text }: NoteText, hidden: boolean): string =>
  [tags.join(', '), hidden ? '' : text].filter((part) => part !== '').join('\n');
