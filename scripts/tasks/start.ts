import { root } from './process.ts';
import { electronCommand, onSomeDisplay, runOnSomeBus } from './session.ts';

process.exitCode = await runOnSomeBus(onSomeDisplay(electronCommand(root, ...process.argv.slice(2))));
