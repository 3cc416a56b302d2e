// The exports of `import … from 'electron'` and `require('electron')` in the main process.
import { supportedModule } from './main/supported.mjs';
import * as parts from './parts.mjs';

parts.app.windows = parts.BrowserWindow.getAllWindows;

// A plain object, which `supportedModule` can wrap: a module namespace cannot be proxied this way.
const electron = { ...parts };

export * from './parts.mjs';
export { electron as 'module.exports' };
export default supportedModule('electron', electron);
