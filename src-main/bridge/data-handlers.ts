/** Handles the calls about all stored data. */
import { basename } from 'node:path';
import { remove } from '../../src-files/remove.ts';
import type { DATA_CALLS } from '../../src-shared/ipc/calls-data.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { blocked, done } from '../../src-shared/ipc/failures.ts';
import type { Session } from '../session/session.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Vault } from '../vault/vault.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { ended, returned } from './results.ts';

export interface DataPorts {
  showFolder(): void;
  /** Reports whether orders are being sent or files written. */
  isBusy(): boolean;
  /** Returns the number of orders of unknown outcome. */
  unknownOrders(): number;
  /** Returns every file and folder of Ballast in the profile. */
  ownFiles(): Promise<readonly string[]>;
  /** The secrets in the keychain, also those of connections that are no longer listed. */
  readonly secrets: Pick<Vault, 'listed' | 'forget'>;
  /** Stops what writes to them. */
  stop(): Promise<void>;
  /** Informs the user, then exits without writing. `left` names the files that could not be removed. */
  end(left: readonly string[]): Promise<void>;
}

export function dataHandlers(
  session: Pick<Session<LiveConnection>, 'ids' | 'summary' | 'remove'>,
  webhooks: Pick<Webhooks, 'ids' | 'remove'>,
  ports: DataPorts,
): Pick<Handlers, keyof typeof DATA_CALLS> {
  return {
    'data.showFolder': () => ended(ports.showFolder()),
    'data.unknownOrders': () => returned(ports.unknownOrders()),
    async 'data.removeAll'({ leaveSecrets, shownUnknown }) {
      if (ports.isBusy())
        return blocked(
          'An order is being sent or a file is being written.',
          'Wait until it is done, then remove the data. Nothing was removed.',
        );
      if (ports.unknownOrders() > shownUnknown)
        return blocked(
          'The outcome of another order has become unknown.',
          'Read the consequences again, then decide. Nothing was removed.',
        );
      // The secret goes first: without the connection or the webhook its owner would be unknown.
      const live = session.ids().filter((id) => session.summary(id)?.kind === 'live');
      const owned = [...live, ...webhooks.ids()];
      const others = ports.secrets.listed().filter((id) => !owned.includes(id));
      const removals = [
        ...live.map((id) => () => session.remove(id, leaveSecrets, 'all')),
        ...webhooks.ids().map((id) => () => webhooks.remove(id, leaveSecrets)),
        ...others.map((id) => async () => {
          const forgotten = await ports.secrets.forget(id, leaveSecrets);
          return leaveSecrets ? done(null) : forgotten;
        }),
      ];
      for (const remove of removals) {
        const removed = await remove();
        if (!removed.ok) return removed;
      }
      await ports.stop();
      const left: string[] = [];
      for (const path of await ports.ownFiles()) {
        try {
          await remove(path, { recursive: true });
        } catch {
          left.push(basename(path)); // reported by name
        }
      }
      await ports.end(left);
      return done(null);
    },
  };
}
