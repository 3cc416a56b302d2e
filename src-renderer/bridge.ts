/** The only user of `window.ballast`: typed calls that always resolve to a Result, and events. */
import { brokenCall } from '../src-shared/ipc/broken-call.ts';
import type { Bridge, CallResult, CallInput, Events } from '../src-shared/ipc/calls.ts';
import { failed, type Result } from '../src-shared/ipc/failures.ts';
import type { CallName, EventName } from '../src-shared/ipc/names.ts';

declare global {
  interface Window {
    readonly ballast?: Bridge;
  }
}

export interface Calls {
  /** Never rejects: an error on the bridge becomes a failure of kind `bug`. */
  call<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallResult<K>>>;
  /** Returns the function that ends the subscription. */
  on<K extends EventName>(name: K, listener: (value: Events[K]) => void): () => void;
}

/**
 * Inputs are plain data by contract, but a caller may pass a piece of `$state`, whose proxy can't be cloned
 * across the bridge ("An object could not be cloned").
 */
function plain<T>(input: T): T {
  if (typeof input !== 'object' || input === null) return input;
  return JSON.parse(JSON.stringify(input)) as T;
}

/** `call` without `on`: with both, the type checker loses which result belongs to which name. */
type Methods = {
  readonly [K in CallName]: (input: CallInput<K>) => Promise<Result<CallResult<K>>>;
};

export function bridgeOf(bridge: Bridge): Calls {
  const methods: Methods = bridge;
  return {
    async call(name, input) {
      try {
        return await methods[name](plain(input));
      } catch (error) {
        return failed(
          brokenCall(name, error instanceof Error ? error.message.slice(0, 200) : 'Restart Ballast.'),
        );
      }
    },
    on: (name, listener) => bridge.on[name]((json) => listener(JSON.parse(json) as Events[typeof name])),
  };
}

/** Throws when the page runs outside Ballast, where it has nothing to show. */
export function windowBridge(): Calls {
  if (window.ballast === undefined) throw new Error('window.ballast is missing: the preload did not run');
  return bridgeOf(window.ballast);
}
