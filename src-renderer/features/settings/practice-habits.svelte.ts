/** Habits of the running practice exchange, and those chosen for its next start. */
import type { Calls } from '../../bridge.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { PracticeHabit } from '../../../src-shared/ipc/practice.ts';

export class PracticeHabits {
  all = $state.raw<readonly PracticeHabit[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** Choices by habit; the running exchange's value until another is chosen. */
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
  /** How many values of the running exchange differ from the defaults. */
  readonly changed: number = $derived(this.all.filter(({ value, preset }) => value !== preset).length);
  /** Choices that take effect at the next start. */
  readonly pending: readonly PracticeHabit[] = $derived(
    this.all.filter(({ name, value }) => this.valueOf(name) !== value),
  );

  valueOf(name: string): string {
    return this.chosen[name] ?? '';
  }

  /** Returns the choices that differ from the defaults, for the next start. */
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
