/**
 * Scripted faults of the network and the exchange. A rule selects requests of an endpoint; whether the exchange
 * acts on the request first is part of the rule.
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
  /** Whether the request reaches the engine before the reply is corrupted; true by default, except for `rate-limit` and `code`. */
  readonly accept?: boolean;
  /** The first matching request, counted from 1 since the rule was set; 1 by default. */
  readonly nth?: number;
  /** How many requests in a row match; 1 by default, 0 for all. */
  readonly times?: number;
  /**
   * `delay`: milliseconds before the reply, unless the rules are cleared before. `delayed-visibility`: age below which
   * rows are hidden.
   */
  readonly ms?: number;
  /** `status`: HTTP status; 503 by default. */
  readonly status?: number;
  /** `rate-limit`: seconds of `Retry-After`; 1 by default. */
  readonly retryAfter?: number;
  /** `code`: code of the envelope; 700000 by default. */
  readonly code?: string;
}

export interface ListedFault extends FaultRule {
  readonly id: number;
  /** Requests of its endpoint since it was set, and how many matched. */
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
  private clearing = new AbortController();

  add(rule: FaultRule): number {
    this.lastId += 1;
    this.entries.push({ id: this.lastId, rule, seen: 0, hits: 0 });
    return this.lastId;
  }

  /** Removes every rule, and ends the delays that are running. */
  clear(): void {
    this.entries = [];
    this.clearing.abort();
    this.clearing = new AbortController();
  }

  /** Aborted when the rules of now are cleared. */
  get cleared(): AbortSignal {
    return this.clearing.signal;
  }

  list(): ListedFault[] {
    return this.entries.map(({ id, rule, seen, hits }) => ({ ...rule, id, seen, hits }));
  }

  /** Counts a request in every rule; returns the first rule that matches, or `null`. */
  match(endpoint: EndpointName): FaultRule | null {
    let matched: FaultRule | null = null;
    for (const entry of this.entries) {
      const { rule } = entry;
      if (rule.endpoint !== '*' && rule.endpoint !== endpoint) continue;
      entry.seen += 1;
      const since = entry.seen - (rule.nth ?? 1);
      const times = rule.times ?? 1;
      if (matched || since < 0 || (times > 0 && since >= times)) continue;
      entry.hits += 1;
      matched = rule;
    }
    return matched;
  }
}
