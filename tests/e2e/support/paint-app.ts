import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freeze } from '../../conformance/freeze.js';
import { end, type Env } from './x-seat.js';

const SCRIPT = fileURLToPath(new URL('../../fixture-apps/paint-gtk3.py', import.meta.url));

/** An app whose windows are of one colour each; a command is answered when it is done and drawn. */
export class PaintApp {
  private readonly answers: ((line: string) => void)[] = [];
  private readonly gone: Promise<never>;

  private constructor(private readonly child: ChildProcess) {
    this.gone = new Promise((_, reject) => child.once('exit', () => reject(new Error('the painting app ended'))));
    this.gone.catch(() => undefined); // an end between two commands is no failure
    createInterface({ input: child.stdout! }).on('line', (line) => this.answers.shift()?.(line));
  }

  static async start(env: Env): Promise<PaintApp> {
    const child = spawn('/usr/bin/python3', [SCRIPT], { env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    const app = new PaintApp(child);
    await app.answer();
    return app;
  }

  /** The answer behind `ok`: a window's number for commands that make one. */
  async do(...words: (string | number)[]): Promise<string> {
    this.child.stdin!.write(`${words.join('|')}\n`);
    const line = await this.answer();
    if (!line.startsWith('ok')) throw new Error(line);
    return line.slice(3);
  }

  /** As the driver calls the window. */
  async window(...words: (string | number)[]): Promise<string> {
    return `x:${await this.do('window', ...words)}`;
  }

  /** As SIGSTOP does. */
  async freeze(): Promise<void> {
    await freeze(this.child.pid!);
  }

  goOn(): void {
    this.child.kill('SIGCONT');
  }

  end(): Promise<void> {
    return end(this.child);
  }

  private answer(): Promise<string> {
    return Promise.race([new Promise<string>((resolve) => this.answers.push(resolve)), this.gone]);
  }
}
