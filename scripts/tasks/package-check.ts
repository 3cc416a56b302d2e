// Checks packaging for every system and starts the packed app, beside a keyring: `npm run package:check`.
import { run } from './process.ts';
import { packageCheck } from './session.ts';

process.exitCode = await run(packageCheck);
