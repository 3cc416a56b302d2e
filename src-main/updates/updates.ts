/**
 * Checks for a later version: daily if enabled, else on request. Never while an order is being sent or its outcome is
 * unknown, since updating means quitting. Nothing is downloaded: the user opens the release page.
 */
import {
  blocked,
  blockedFailure,
  done,
  failed,
  type Failure,
  type Result,
} from '../../src-shared/ipc/failures.ts';
import type { UpdateHold, UpdatePlace, UpdateState } from '../../src-shared/ipc/updates.ts';
import { isLater } from '../../src-shared/domain/display/version.ts';
import { DAY_MS, type Clock, type Timers } from '../../src-shared/time.ts';
import type { Transport, WireResult } from '../exchange/transport.ts';
import { readAnnouncement } from './announcement.ts';

/** Delay after start, when the first screens are loaded. */
export const FIRST_CHECK_MS = 60_000;
/** Delay before retrying when an order delayed the check, or without a network: a computer's first minute may have none. */
export const RETRY_MS = 5 * 60_000;
/** An announcement is a short text. */
export const MAX_ANNOUNCEMENT_BYTES = 64 * 1024;

export interface UpdatePorts {
  /** Address to check; null if this build has none. */
  readonly place: UpdatePlace | null;
  /** The running version. */
  readonly version: string;
  readonly wanted: () => boolean;
  /** Returns how many orders are being sent and of unknown outcome. */
  readonly unfinished: () => { readonly sending: number; readonly unknown: number };
  readonly send: Transport['send'];
  readonly openPage: (url: string) => Promise<void>;
  readonly changed: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

const HELD: Readonly<Record<UpdateHold, string>> = {
  sending: 'An order is being sent.',
  unknown: 'The outcome of an order is unknown.',
};

export class Updates {
  readonly #ports: UpdatePorts;
  #state: UpdateState;
  #running: Promise<Result<UpdateState>> | null = null;

  constructor(ports: UpdatePorts) {
    this.#ports = ports;
    this.#state = {
      host: ports.place === null ? null : new URL(ports.place.feed).host,
      checking: false,
      checkedAt: null,
      release: null,
      failure: null,
    };
  }

  state(): UpdateState {
    return this.#state;
  }
  /** Starts the automatic checks the user enabled. */
  start(): void {
    if (this.#ports.place !== null) this.#checkAfter(FIRST_CHECK_MS);
  }
  /** Checks now. Blocked while an order is open in the sense above or when there is no address. */
  check(): Promise<Result<UpdateState>> {
    const { place } = this.#ports;
    if (place === null)
      return Promise.resolve(
        blocked('This build has no update address.', 'Check the page you downloaded Ballast from.'),
      );
    const held = this.#held();
    if (held !== null) return Promise.resolve(failed(held));
    this.#running ??= this.#read(place).finally(() => (this.#running = null));
    return this.#running;
  }
  /** Opens the page of the found release in the browser. */
  async openPage(): Promise<Result<null>> {
    const { place } = this.#ports;
    const held = this.#held();
    if (held !== null) return failed(held);
    if (place === null || this.#state.release === null)
      return blocked('No newer version is known.', 'Check for updates first.');
    await this.#ports.openPage(place.page);
    return done(null);
  }

  #change(part: Partial<UpdateState>): void {
    this.#state = { ...this.#state, ...part };
    this.#ports.changed(this.#state);
  }
  #hold(): UpdateHold | null {
    const { sending, unknown } = this.#ports.unfinished();
    if (sending > 0) return 'sending';
    return unknown > 0 ? 'unknown' : null;
  }
  /** Returns why an update must wait, or null. */
  #held(): Failure | null {
    const hold = this.#hold();
    return hold === null
      ? null
      : blockedFailure(HELD[hold], 'Updates wait until it is known, because installing one means quitting.');
  }
  async #read({ feed, publicKey }: UpdatePlace): Promise<Result<UpdateState>> {
    this.#change({ checking: true });
    const reply = await this.#ports.send({ method: 'GET', url: feed, headers: {}, body: '' });
    const read = bodyOf(reply);
    const found = read.ok ? readAnnouncement(read.data, publicKey) : read;
    if (!found.ok) {
      this.#change({ checking: false, failure: found.failure });
      return found;
    }
    const release = isLater(found.data.version, this.#ports.version) ? found.data : null;
    this.#change({ checking: false, checkedAt: this.#ports.clock.now(), release, failure: null });
    return done(this.#state);
  }
  #checkAfter(ms: number): void {
    this.#ports.timers.after(ms, () => {
      if (this.#hold() !== null) return this.#checkAfter(RETRY_MS);
      if (!this.#ports.wanted()) return this.#checkAfter(DAY_MS);
      void this.check().then((checked) =>
        this.#checkAfter(!checked.ok && checked.failure.kind === 'offline' ? RETRY_MS : DAY_MS),
      );
    });
  }
}

function bodyOf(reply: WireResult): Result<Uint8Array> {
  const next = 'Nothing was changed. Try again later.';
  if (reply.kind === 'failure')
    return failed({ kind: 'offline', message: 'The announcement could not be read.', next });
  if (reply.status === 200) return done(reply.body);
  return failed({
    kind: 'server',
    message: `The update server replied with status ${reply.status}.`,
    next,
    status: reply.status,
  });
}
