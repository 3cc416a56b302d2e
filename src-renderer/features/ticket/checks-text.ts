import type { OrderCheck } from '../../../src-shared/domain/order/check.ts';
import { counted } from '../../text/number-text.ts';

export interface ChecksText {
  readonly text: string;
  readonly tone: 'ok' | 'warn' | 'danger' | 't2';
}

/** Summarises the checks by the worst of them; green only if all of them pass. */
export function checksText(checks: readonly OrderCheck[]): ChecksText {
  const count = (of: (check: OrderCheck) => boolean): number => checks.filter(of).length;
  const failed = count((one) => one.state === 'fail');
  const dangers = count((one) => one.danger === true);
  const passed = count((one) => one.state === 'pass');
  const parts = [
    ...(failed > 0 ? [`${failed} to fix`] : []),
    ...(dangers > 0 ? [counted(dangers, 'danger')] : []),
  ];
  if (parts.length > 0) return { text: [...parts, `${passed} pass`].join(', '), tone: 'danger' };
  const text = `${passed} of ${checks.length} pass`;
  if (passed === checks.length) return { text, tone: 'ok' };
  return { text, tone: checks.some((one) => one.state === 'warn') ? 'warn' : 't2' };
}
