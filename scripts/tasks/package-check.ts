import { run } from './process.ts';
import { packageCheck } from './session.ts';

process.exitCode = await run(packageCheck);
