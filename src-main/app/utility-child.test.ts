import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { utilityChild } from './utility-child.ts';

/** Like Electron's: `kill` works only after `spawn`. */
class UtilityProcess extends EventEmitter {
  running = false;
  starts(): void {
    this.running = true;
    this.emit('spawn');
  }
  kill(): boolean {
    if (!this.running) return false;
    this.running = false;
    this.emit('exit', 0);
    return true;
  }
  postMessage(): void {
    // No request is sent here.
  }
}

it('a process that is not wanted any more before it has started is ended when it has', () => {
  const process = new UtilityProcess();
  const child = utilityChild(process);
  const ends: string[] = [];
  child.onExit(() => ends.push('exit'));
  child.kill();
  expect(ends).toEqual([]);
  process.starts();
  expect([process.running, ends]).toEqual([false, ['exit']]);
});

it('ends a running process at once, and leaves one alone that is not ended', () => {
  const [wanted, unwanted] = [new UtilityProcess(), new UtilityProcess()];
  utilityChild(wanted);
  const child = utilityChild(unwanted);
  for (const one of [wanted, unwanted]) one.starts();
  child.kill();
  expect([wanted.running, unwanted.running]).toEqual([true, false]);
});

it('a failure inside it is no error of the app', () => {
  const process = new UtilityProcess();
  utilityChild(process);
  expect(() => process.emit('error', 'FatalError')).not.toThrow();
});
