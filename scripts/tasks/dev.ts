// Starts the app from its sources and restarts or reloads it as they change: `npm run dev`.
import { findElectron } from '../setup/electron.mjs';
import { root, tool } from './process.ts';
import { onSomeDisplay, runOnSomeBus } from './session.ts';

const vite = tool('electron-vite/bin/electron-vite.js');
const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
const command = [process.execPath, vite, 'dev', '--watch', ...process.argv.slice(2)] as const;
process.exitCode = await runOnSomeBus(onSomeDisplay(command), {
  // Set explicitly: otherwise electron-vite looks for the binary and fails where there is none.
  ELECTRON_EXEC_PATH: findElectron(root).path,
  ...(asRoot ? { NO_SANDBOX: '1' } : {}),
});
