/**
 * Runs keytar in a process of its own, since it can crash its process, and a frozen keychain stalls the thread pool.
 * Handles one get, set or delete at a time. Never lists items: that crashes on a locked keyring.
 */
import { parentPort as threadPort } from 'node:worker_threads';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { isRequest, SERVICE, type KeychainReply, type KeychainRequest } from './keychain-protocol.ts';

/** Electron's port of a utility process. A thread has Node's, a forked Node `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: KeychainReply): void;
}
const utilityPort = (process as { readonly parentPort?: ParentPort }).parentPort;

const post = (reply: KeychainReply): void => {
  const port = utilityPort ?? threadPort;
  if (port === null) process.send?.(reply);
  else port.postMessage(reply);
};

const queue = new SerialQueue();
const receive = (message: unknown): void => {
  if (isRequest(message)) void queue.run(async () => post(await result(message)));
};

// Registered before keytar is loaded, so no request is missed.
if (utilityPort !== undefined) utilityPort.on('message', ({ data }) => receive(data));
else if (threadPort !== null) threadPort.on('message', receive);
else {
  process.on('message', receive);
  process.on('disconnect', () => process.exit());
}

async function result(request: KeychainRequest): Promise<KeychainReply> {
  const { id } = request;
  try {
    return { id, ok: true, value: await ask(request) };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    return { id, ok: false, message: request.action === 'set' ? text.replaceAll(request.value, '…') : text };
  }
}

async function ask(request: KeychainRequest): Promise<string | boolean | null> {
  // Imported lazily: without libsecret the import itself fails, which is reported as a reply.
  const { default: keytar } = await import('keytar');
  switch (request.action) {
    case 'get':
      return keytar.getPassword(SERVICE, request.account);
    case 'delete':
      return keytar.deletePassword(SERVICE, request.account);
    case 'set':
      await keytar.setPassword(SERVICE, request.account, request.value);
      return true;
  }
}
