/**
 * An append-only list that packs old rows into typed arrays: a million orders and trades as objects would take
 * gigabytes. A row is packed once it can no longer change, and decoded each time it is read.
 */
export interface Codec<T> {
  /** How many numbers and 64-bit integers a row has. */
  readonly numbers: number;
  readonly bigs: number;
  /** Reports whether the row can no longer change. */
  readonly isFinal: (row: T) => boolean;
  readonly pack: (row: T) => { numbers: readonly number[]; bigs: readonly bigint[] };
  readonly unpack: (index: number, numbers: Float64Array, bigs: BigInt64Array) => T;
}

const CHUNK = 4096;
/** The newest rows stay objects: their creator may still be writing to them. */
const YOUNG = 1024;

interface Chunk {
  readonly numbers: Float64Array;
  readonly bigs: BigInt64Array;
}

export class Log<T> {
  private readonly codec: Codec<T>;
  private readonly chunks: Chunk[] = [];
  private readonly live = new Map<number, T>();
  private count = 0;

  constructor(codec: Codec<T>) {
    this.codec = codec;
  }

  get length(): number {
    return this.count;
  }

  push(row: T): void {
    this.live.set(this.count, row);
    this.count += 1;
    if (this.count % CHUNK === 0) this.packOld();
  }

  get(index: number): T | undefined {
    const row = this.live.get(index);
    if (row !== undefined || index < 0 || index >= this.count) return row;
    const { numbers, bigs, unpack } = this.codec;
    const chunk = this.chunks[Math.trunc(index / CHUNK)];
    if (!chunk) throw new Error(`row ${index} is neither live nor packed`);
    const at = index % CHUNK;
    return unpack(
      index,
      chunk.numbers.subarray(at * numbers, (at + 1) * numbers),
      chunk.bigs.subarray(at * bigs, (at + 1) * bigs),
    );
  }

  /** Replaces a row that is not final. */
  replace(index: number, row: T): void {
    if (!this.live.has(index)) throw new Error(`row ${index} is not there to be replaced`);
    this.live.set(index, row);
  }

  /** The rows from `index` on. */
  since(index: number): T[] {
    const rows: T[] = [];
    for (let i = index; i < this.count; i += 1) {
      const row = this.get(i);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** The row at `index`, counted from the end when negative. */
  at(index: number): T | undefined {
    return this.get(index < 0 ? this.count + index : index);
  }

  *[Symbol.iterator](): Generator<T> {
    for (let i = 0; i < this.count; i += 1) {
      const row = this.get(i);
      if (row !== undefined) yield row;
    }
  }

  map<R>(make: (row: T) => R): R[] {
    return Array.from(this, make);
  }

  filter(wanted: (row: T) => boolean): T[] {
    const found: T[] = [];
    for (const row of this) if (wanted(row)) found.push(row);
    return found;
  }

  private packOld(): void {
    const old = this.count - YOUNG;
    for (const [index, row] of this.live) {
      if (index >= old) return;
      if (!this.codec.isFinal(row)) continue;
      this.packRow(index, row);
      this.live.delete(index);
    }
  }

  private packRow(index: number, row: T): void {
    const { numbers, bigs, pack } = this.codec;
    const packed = pack(row);
    const chunk = this.chunkOf(index);
    const at = index % CHUNK;
    chunk.numbers.set(packed.numbers, at * numbers);
    for (let i = 0; i < bigs; i += 1) {
      const value = packed.bigs[i] ?? 0n;
      if (BigInt.asIntN(64, value) !== value) throw new RangeError(`beyond 64 bits: ${value}`);
      chunk.bigs[at * bigs + i] = value;
    }
  }

  private chunkOf(index: number): Chunk {
    const at = Math.trunc(index / CHUNK);
    for (let i = this.chunks.length; i <= at; i += 1) {
      this.chunks.push({
        numbers: new Float64Array(CHUNK * this.codec.numbers),
        bigs: new BigInt64Array(CHUNK * this.codec.bigs),
      });
    }
    const chunk = this.chunks[at];
    if (!chunk) throw new Error(`no chunk ${at}`);
    return chunk;
  }
}
