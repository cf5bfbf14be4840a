/** So many in any second, and no more: whoever asks faster waits or is refused. */
export class Pace {
  private readonly times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether one more may pass. */
  pass(): boolean {
    const now = this.now();
    while (this.times.length > 0 && now - this.times[0]! >= 1_000) this.times.shift();
    if (this.times.length >= this.most) return false;
    this.times.push(now);
    return true;
  }
}
