/** Habits of the running practice exchange, and those chosen for its next start. */
import type { Calls } from '../../bridge.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { PracticeHabit } from '../../../src-shared/ipc/practice.ts';

export class PracticeHabits {
  all = $state.raw<readonly PracticeHabit[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** By name; what the running exchange has, until another value is chosen. */
  chosen = $state<Record<string, string>>({});
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly groups: readonly (readonly [title: string, habits: readonly PracticeHabit[]])[] = $derived(
    [...new Set(this.all.map(({ group }) => group))].map((title) => [
      title,
      this.all.filter(({ group }) => group === title),
    ]),
  );
  /** Values of the running exchange that are no defaults. */
  readonly changed: number = $derived(this.all.filter(({ value, preset }) => value !== preset).length);
  /** Choices that take effect by a restart. */
  readonly pending: readonly PracticeHabit[] = $derived(
    this.all.filter(({ name, value }) => this.valueOf(name) !== value),
  );

  valueOf(name: string): string {
    return this.chosen[name] ?? '';
  }

  /** What is chosen, where it is no default: what a start is given. */
  wanted(): Record<string, string> {
    const other = this.all.filter(({ name, preset }) => this.valueOf(name) !== preset);
    return Object.fromEntries(other.map(({ name }) => [name, this.valueOf(name)]));
  }

  chooseDefaults(): void {
    this.chosen = Object.fromEntries(this.all.map(({ name, preset }) => [name, preset]));
  }

  async load(): Promise<void> {
    const result = await this.#calls.call('practice.habits', undefined);
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    this.failure = null;
    this.all = result.data;
    this.chosen = Object.fromEntries(result.data.map(({ name, value }) => [name, value]));
  }
}
