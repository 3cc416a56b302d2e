/** Moves archives aside that turn out to belong to another account than their connection. */
import type { Clock } from '../../src-shared/time.ts';
import { moveAside } from '../archive/sqlite/database-files.ts';

interface Ports {
  readonly notice: (message: string, next: string) => void;
  readonly clock: Clock;
}

export class OtherAccounts {
  readonly #ports: Ports;
  /** Files that could not be moved at their last finding: opened again, they are found again. */
  readonly #stuck = new Set<string>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Moves the archive of a connection aside, or says why not: the connection then trades without one. `replace` closes and
   * reopens it unless it was closed meanwhile, and calls its argument in between, while the archive is closed.
   */
  found(file: string, replace: (between: () => void) => void): void {
    if (this.#stuck.delete(file))
      this.#ports.notice(
        `The archive ${file} belongs to another user ID than this account and could not be moved.`,
        'Move it to another folder, then open the connection again.',
      );
    else replace(() => this.#move(file));
  }

  #move(file: string): void {
    try {
      const path = moveAside(file, 'other-account', this.#ports.clock.now());
      this.#ports.notice(
        `The archive belongs to another user ID than this account. It was moved to ${path}.`,
        'A new archive is being downloaded from the exchange. Check the API key if you did not expect another account.',
      );
    } catch {
      this.#stuck.add(file);
    }
  }
}
