import { root, run, tool } from './process.ts';
import { onSomeDisplay } from './session.ts';
import { findElectron } from '../setup/electron.mjs';

const playwright = [tool('@playwright/test/cli.js'), 'test', '--config', 'playwright.pictures.config.ts'];
const command = [process.execPath, ...playwright, ...process.argv.slice(2)] as const;
process.exitCode = await run(findElectron(root).real ? onSomeDisplay(command) : command);
