/** Names the archive the exports of a connection fill, beside the one of the app. */
import { join } from 'node:path';

/** @param name the base name of the connection's files */
export const exportArchive = (profile: string, name: string): string =>
  join(profile, 'exports', `${name}.sqlite`);
