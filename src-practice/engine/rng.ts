export type RngState = readonly [number, number, number, number];

/**
 * sfc32: a small, fast integer generator with a copyable state. Each contract and each kind of trader has its own
 * stream, so that one more draw in one does not shift the others.
 */
export class Rng {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** `stream` separates generators of one seed. */
  constructor(seed: number, stream: number) {
    this.a = seed >>> 0;
    this.b = Math.imul(stream + 1, 0x9e3779b1) >>> 0;
    this.c = Math.floor(seed / 0x1_0000_0000) >>> 0;
    this.d = 1;
    for (let i = 0; i < 16; i += 1) this.next();
  }

  /** Whole number in [0, 2^32). */
  next(): number {
    const t = (this.a + this.b + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    return t >>> 0;
  }

  /** Whole number in [0, bound), bound ≤ 2^32. The bias is below 2^-20 for the small bounds used here. */
  below(bound: number): number {
    return Math.floor((this.next() * bound) / 0x1_0000_0000);
  }

  /**
   * Approximately normal with variance 1: the sum of four uniforms. Only + − × ÷ give the same result on every
   * machine; `Math.log` and `Math.cos` need not.
   */
  bell(): number {
    const sum = this.next() + this.next() + this.next() + this.next();
    return (sum / 0x1_0000_0000 - 2) * 1.7320508075688772;
  }

  save(): RngState {
    return [this.a, this.b, this.c, this.d];
  }

  restore(state: RngState): void {
    [this.a, this.b, this.c, this.d] = state;
  }
}
