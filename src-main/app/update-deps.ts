/** Implements the update check's ports: the address of this build, its transport and what delays it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import * as v from 'valibot';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import { updatePlaceSchema, type UpdatePlace, type UpdateState } from '../../src-shared/ipc/updates.ts';
import { createTransport, TIMEOUTS } from '../exchange/transport.ts';
import { type UpdatePorts, Updates } from '../updates/updates.ts';
import type { QuitPorts } from './quitting.ts';

export interface UpdateDeps {
  readonly leaving: () => Pick<QuitPorts, 'leftOpen'>;
  readonly settings: () => Settings;
  readonly openPage: (url: string) => Promise<void>;
  readonly updated: (state: UpdateState) => void;
  readonly clock: UpdatePorts['clock'];
  readonly timers: UpdatePorts['timers'];
}

/** An announcement is a short text. */
const MAX_ANNOUNCEMENT_BYTES = 64 * 1024;
const manifestSchema = v.object({ updates: v.optional(v.nullable(updatePlaceSchema), null) });

/** Returns the update address: sealed in a package, set by BALLAST_UPDATES in development. Throws if invalid. */
function placeOfThisBuild(): UpdatePlace | null {
  const given = app.isPackaged ? undefined : process.env.BALLAST_UPDATES;
  if (given !== undefined && given !== '') return v.parse(updatePlaceSchema, JSON.parse(given));
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return v.parse(manifestSchema, manifest).updates;
}

export function updateDeps(deps: UpdateDeps): Updates {
  const { leaving, settings, openPage, updated, clock, timers } = deps;
  const transport = createTransport(TIMEOUTS, MAX_ANNOUNCEMENT_BYTES);
  const updates = new Updates({
    place: placeOfThisBuild(),
    version: app.getVersion(),
    wanted: () => settings().lookForUpdates,
    hold() {
      const { sending, unknown } = leaving().leftOpen();
      if (sending > 0) return 'sending';
      return unknown > 0 ? 'unknown' : null;
    },
    send: (request) => transport.send(request),
    openPage,
    changed: updated,
    clock,
    timers,
  });
  updates.start();
  return updates;
}
