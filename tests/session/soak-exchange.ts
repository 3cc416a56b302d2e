/** The soak's practice exchange in a process of its own, so that measurements here cover the app alone. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { control } from '../practice/controls.ts';

const PROGRAM = join(import.meta.dirname, '../../src-practice/index.ts');

export interface SoakExchange {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  control<T>(method: string, path: string, input?: unknown): Promise<T>;
  end(): void;
}
interface Ready {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly controls: { readonly url: string; readonly token: string };
}

/** On a manual clock. */
export async function startSoakExchange(seed: number): Promise<SoakExchange> {
  const child = spawn(
    process.execPath,
    [PROGRAM, '--json', '--port', '0', '--speed', '0', '--seed', String(seed)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => reject(new Error('the practice exchange ended')));
  });
  const { url, key, secret, controls } = JSON.parse(line) as Ready;
  return {
    ...{ url, key, secret },
    async control<T>(method: string, path: string, input?: unknown) {
      return JSON.parse(await control({ controls }, method, path, input)) as T;
    },
    end: () => void child.kill(),
  };
}
