/** The exchange's time: the system's at speed 1, a multiple of it at higher speeds, set by the controls at speed 0. */
export class PracticeClock {
  private readonly wall: () => number;
  private wallAnchor: number;
  private anchor: number;
  private pace: number;

  /** Times in milliseconds since 1970: the system's, the one to show, and the system's at which it is shown. */
  constructor(wall: () => number, start: number, speed: number, shownAt = wall()) {
    this.wall = wall;
    this.wallAnchor = shownAt;
    this.anchor = start;
    this.pace = speed;
  }

  get speed(): number {
    return this.pace;
  }

  /** Whole milliseconds since 1970. */
  now(): number {
    return this.anchor + Math.max(0, Math.trunc((this.wall() - this.wallAnchor) * this.pace));
  }

  setSpeed(speed: number): void {
    this.anchor = this.now();
    this.wallAnchor = this.wall();
    this.pace = speed;
  }

  advance(ms: number): void {
    this.anchor += ms;
  }
}
