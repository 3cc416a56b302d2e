// Takes the pictures of the README from the running app: `npm run pictures`.
import { run, tool } from './process.ts';
import { onSomeDisplay, withKeyring } from './session.ts';

const playwright = [tool('@playwright/test/cli.js'), 'test', '--config', 'playwright.pictures.config.ts'];
const command = [process.execPath, ...playwright, ...process.argv.slice(2)] as const;
process.exitCode = await run(onSomeDisplay(withKeyring(...command)));
