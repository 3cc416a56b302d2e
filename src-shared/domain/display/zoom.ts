/** Steps the window's zoom through the levels browsers use. */
export type ZoomStep = 'in' | 'out' | 'reset';

const STEPS: readonly number[] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** Returns the percentage after a step, within the levels. */
export function zoomed(now: number, step: ZoomStep): number {
  if (step === 'reset') return 100;
  if (step === 'in') return STEPS.find((one) => one > now) ?? now;
  return STEPS.findLast((one) => one < now) ?? now;
}
