import { root, run } from './process.ts';
import { electronCommand, onSomeBus, onSomeDisplay } from './session.ts';

const command = electronCommand(root, ...process.argv.slice(2));
process.exitCode = await run(onSomeDisplay(onSomeBus(command)));
