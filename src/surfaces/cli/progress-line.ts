import type { Terminal } from './terminal.js';

const FIRST_AFTER_MS = 300;
const EVERY_MS = 100;

/** One line on stderr, rewritten while a long read goes on, gone when it is over. Quick reads never show it. */
export class ProgressLine {
  private shown = false;
  private quiet = false;
  private next = performance.now() + FIRST_AFTER_MS;

  constructor(
    private readonly terminal: Terminal,
    private readonly what: string,
  ) {}

  update(done: number): void {
    const now = performance.now();
    if (this.quiet || !this.terminal.canShowProgress || now < this.next) return;
    this.next = now + EVERY_MS;
    this.shown = true;
    this.terminal.err(
      `\r\x1b[K${this.terminal.paintErrors('grey', `${this.what}: ${done.toLocaleString('en')} elements read …`)}`,
    );
  }

  /** While something else has the line: a question, and what a person types there. */
  async silentWhile(work: () => Promise<void>): Promise<void> {
    this.clear();
    this.quiet = true;
    try {
      await work();
    } finally {
      this.quiet = false;
    }
  }

  clear(): void {
    if (this.shown) this.terminal.err('\r\x1b[K');
    this.shown = false;
  }
}
