/** Reads and writes the profile's small JSON files. A damaged one is moved aside and the user notified. */
import type * as v from 'valibot';
import { jsonFile, type JsonFile } from '../session/json-file.ts';

interface Deps {
  readonly clock: { now(): number };
  readonly notify: (message: string, next: string) => void;
}

/** What is lost with each file, as text for the notice. */
const LOST = {
  'settings.json': [
    'The settings',
    'Every setting is as at the first start; look through Settings › Safety.',
  ],
  'connections.json': [
    'The list of connections',
    'Add them again; their archives and secrets are still there. Orders stay in the journal.',
  ],
  'secrets-index.json': [
    'The list of stored secrets',
    'Connections whose secret is missing ask for it again.',
  ],
  'window.json': ['The window’s place', 'It opens at its usual size.'],
} as const;

export const profileFiles =
  (profile: (name: string) => string, { clock, notify }: Deps) =>
  <S extends v.GenericSchema>(
    name: keyof typeof LOST,
    schema: S,
    fallback: v.InferOutput<S>,
  ): JsonFile<v.InferOutput<S>> => {
    const file = jsonFile(profile(name), schema, fallback, clock);
    return {
      ...file,
      get setAside() {
        return file.setAside;
      },
      async read() {
        const value = await file.read();
        const [what, next] = LOST[name];
        if (file.setAside !== null) notify(`${what} could not be read and is kept as ${file.setAside}.`, next);
        return value;
      },
    };
  };
