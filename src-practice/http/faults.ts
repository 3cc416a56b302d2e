/**
 * Scripted faults: what the network and a bad day of the exchange do to a client. A rule says which request of an
 * endpoint it meets; whether the exchange had acted on it by then is part of the rule.
 */
import type { EndpointName } from './endpoints.ts';

export const ACTIONS = [
  'delay',
  'reset',
  'cut',
  'status',
  'html',
  'truncated',
  'duplicate-keys',
  'contradictory',
  'no-data',
  'rate-limit',
  'code',
  'delayed-visibility',
  'page-drift',
  'unknown-enum',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface FaultRule {
  readonly endpoint: EndpointName | '*';
  readonly action: Action;
  /** Whether the request reaches the engine before the reply is spoiled; true when left out, save for `rate-limit`. */
  readonly accept?: boolean;
  /** The first request it meets, counted from 1 since the rule was set; 1 when left out. */
  readonly nth?: number;
  /** How many requests in a row it meets; 1 when left out, 0 for all. */
  readonly times?: number;
  /** `delay`: milliseconds before the reply. `delayed-visibility`: how young a row is that is not shown yet. */
  readonly ms?: number;
  /** `status`: HTTP status; 503 when left out. */
  readonly status?: number;
  /** `rate-limit`: seconds of `Retry-After`; 1 when left out. */
  readonly retryAfter?: number;
  /** `code`: code of the envelope; 700000 when left out. */
  readonly code?: string;
}

export interface ListedFault extends FaultRule {
  readonly id: number;
  /** Requests of its endpoint since it was set, and how many it met. */
  readonly seen: number;
  readonly hits: number;
}

interface Entry {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
  hits: number;
}

export class Faults {
  private entries: Entry[] = [];
  private lastId = 0;

  add(rule: FaultRule): number {
    this.lastId += 1;
    this.entries.push({ id: this.lastId, rule, seen: 0, hits: 0 });
    return this.lastId;
  }

  clear(): void {
    this.entries = [];
  }

  list(): ListedFault[] {
    return this.entries.map(({ id, rule, seen, hits }) => ({ ...rule, id, seen, hits }));
  }

  /** Counts a request; the first rule it meets, or `null`. Every rule counts it. */
  meet(endpoint: EndpointName): FaultRule | null {
    let met: FaultRule | null = null;
    for (const entry of this.entries) {
      const { rule } = entry;
      if (rule.endpoint !== '*' && rule.endpoint !== endpoint) continue;
      entry.seen += 1;
      const since = entry.seen - (rule.nth ?? 1);
      const times = rule.times ?? 1;
      if (met || since < 0 || (times > 0 && since >= times)) continue;
      entry.hits += 1;
      met = rule;
    }
    return met;
  }
}
