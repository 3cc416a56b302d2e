/** Processor time of the app by /proc: Linux only. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { ElectronApplication } from '@playwright/test';
import { familyOf } from '../../e2e/processes.ts';

const TICKS_A_SECOND = 100;
export const pidOf = (app: ElectronApplication): number => app.process().pid ?? 0;
export const whole = (text: string | undefined): number => Number.parseInt(text ?? '0', 10);

/** Throws where the kernel counts in other ticks. */
export function assertTicks(): void {
  if (whole(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) !== TICKS_A_SECOND)
    throw new Error('The kernel counts processor time in other ticks than 100 a second.');
}

/** Seconds of processor time a process and all it has started have used, by pid. */
export async function secondsOf(root: number): Promise<Map<number, number>> {
  const seconds = new Map<number, number>();
  for (const pid of await familyOf(root)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name may hold spaces and brackets; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    seconds.set(pid, (whole(fields[11]) + whole(fields[12])) / TICKS_A_SECOND);
  }
  return seconds;
}
