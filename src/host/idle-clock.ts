/** Counts the time without clients; starts when the host does, since its starter may never connect. */
export class IdleClock {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** Absent: it never ends. */
    private readonly ms: number | undefined,
    /** There is something left to do, whoever is here. */
    private readonly isBusy: () => boolean,
    private readonly onIdle: () => void,
  ) {
    this.clients(0);
  }

  clients(count: number): void {
    clearTimeout(this.timer);
    if (this.ms === undefined || count > 0) return;
    this.timer = setTimeout(() => (this.isBusy() ? this.clients(0) : this.onIdle()), this.ms);
  }
}
