/** Holds secrets in memory for this run when the keychain cannot store them. */
import type { SecretInput } from '../../src-shared/ipc/connections.ts';

export interface SecretMemory {
  get(id: string): SecretInput | null;
  set(id: string, secret: SecretInput): void;
  forget(id: string): void;
  clear(): void;
}

export function createSecretMemory(): SecretMemory {
  const secrets = new Map<string, SecretInput>();
  return {
    get: (id) => secrets.get(id) ?? null,
    set: (id, secret) => void secrets.set(id, secret),
    forget: (id) => void secrets.delete(id),
    clear: () => secrets.clear(),
  };
}
