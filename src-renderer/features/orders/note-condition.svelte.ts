import { notedFilter, type NotedFilter } from '../../../src-shared/domain/history/order-notes.ts';

/** What a filter of orders asks of their notes. */
export class NoteCondition {
  /** Any of these. */
  tags = $state.raw<string[]>([]);
  /** Text in a note or tag, as typed. */
  note = $state('');
  isNoted = $state(false);

  readonly wanted: NotedFilter | null = $derived.by(() => notedFilter(this));
  /** How many conditions are set. */
  readonly count: number = $derived.by(
    () => this.tags.length + (this.note.trim() === '' ? 0 : 1) + (this.isNoted ? 1 : 0),
  );

  clear(): void {
    this.tags = [];
    this.note = '';
    this.isNoted = false;
  }
}
