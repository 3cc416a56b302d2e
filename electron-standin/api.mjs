// What `import … from 'electron'` and `require('electron')` give in the main process.
import { carriedModule } from './main/carried.mjs';
import * as parts from './parts.mjs';

parts.app.windows = parts.BrowserWindow.getAllWindows;

// A plain object, which `carriedModule` may wrap: a module's own namespace allows no answer but its own.
const electron = { ...parts };

export * from './parts.mjs';
export { electron as 'module.exports' };
export default carriedModule('electron', electron);
