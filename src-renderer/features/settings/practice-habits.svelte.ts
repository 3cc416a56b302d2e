/** Habits of the running practice exchange, and those chosen for its next start. */
import type { PracticeHabit } from '../../../src-shared/ipc/practice.ts';
import { MainState } from '../../state/settings/main-state.svelte.ts';

export class PracticeHabits extends MainState<readonly PracticeHabit[]> {
  readonly all: readonly PracticeHabit[] = $derived(this.state ?? []);
  /** Choices by habit; the running exchange's value until another is chosen. */
  chosen = $state<Record<string, string>>({});

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
    this.all.filter(({ name, value }) => this.choiceOf(name) !== value),
  );

  choiceOf(name: string): string {
    return this.chosen[name] ?? '';
  }

  /** Returns the choices that differ from the defaults, for the next start. */
  wanted(): Record<string, string> {
    const other = this.all.filter(({ name, preset }) => this.choiceOf(name) !== preset);
    return Object.fromEntries(other.map(({ name }) => [name, this.choiceOf(name)]));
  }

  chooseDefaults(): void {
    this.chosen = Object.fromEntries(this.all.map(({ name, preset }) => [name, preset]));
  }

  async load(): Promise<void> {
    this.take(await this.calls.call('practice.habits', undefined));
  }

  override receive(habits: readonly PracticeHabit[]): void {
    super.receive(habits);
    this.chosen = Object.fromEntries(habits.map(({ name, value }) => [name, value]));
  }
}
