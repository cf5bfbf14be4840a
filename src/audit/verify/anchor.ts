import { spawn } from 'node:child_process';
import { debug } from '../../shared/index.js';
import { unavailable } from '../errors.js';
import { anchorLine, isSignedBy, parseSigned, type SignedStatement } from '../signed-head.js';
import type { Walked } from './chain.js';

export interface AnchorOptions {
  /** Program and arguments; no shell. Gets one line on its standard input and must end with 0. */
  command: readonly string[];
  /** No anchor, no acts. */
  required?: boolean;
  timeoutMs?: number;
}

/** A later statement covers all before it, so of many that could not be sent the last ones are enough. */
const MOST_UNSENT = 64;
const TIMEOUT_MS = 10_000;

/** Tells somebody outside what was signed: the only proof against one who can write all of a person's files. */
export class Anchor {
  private readonly unsent: SignedStatement[] = [];
  private running: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly options: AnchorOptions) {}

  /** Why the last statement did not arrive. */
  get trouble(): Error | undefined {
    return this.failure;
  }

  send(signed: SignedStatement): void {
    this.unsent.push(signed);
    if (this.unsent.length > MOST_UNSENT) this.unsent.shift();
    void this.run();
  }

  /** When it is required: resolves when all was sent, else says that it was not. */
  async ready(): Promise<void> {
    if (!this.options.required) return;
    await this.running;
    if (this.unsent.length > 0) await this.run();
    if (this.unsent.length === 0) return;
    throw unavailable(
      'The outside anchor of the log did not take what was signed, and it is required.',
      'See that audit.anchor.command in the policy file works; it must read one line and end with 0.',
      this.failure,
    );
  }

  /** All that is under way has ended, well or not. */
  async settled(): Promise<void> {
    await this.running;
  }

  private run(): Promise<void> {
    this.running ??= this.sendAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async sendAll(): Promise<void> {
    for (let next = this.unsent[0]; next; next = this.unsent[0]) {
      this.failure = await this.tell(anchorLine(next));
      if (this.failure) {
        debug('audit', () => `anchor: ${this.failure?.message}`);
        return;
      }
      this.unsent.splice(this.unsent.indexOf(next), 1);
    }
  }

  private tell(line: string): Promise<Error | undefined> {
    const [program = '', ...args] = this.options.command;
    return new Promise((resolve) => {
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
      const timer = setTimeout(() => child.kill('SIGKILL'), this.options.timeoutMs ?? TIMEOUT_MS);
      const end = (error?: Error): void => {
        clearTimeout(timer);
        resolve(error);
      };
      child.once('error', end);
      child.once('close', (code, signal) =>
        end(code === 0 ? undefined : new Error(`the anchor's program ended with ${code ?? signal}`)),
      );
      child.stdin.on('error', () => undefined); // It did not read to the end; its exit code says what that means.
      child.stdin.end(line);
    });
  }
}

const FORMAT = 'deskproof-ledger/';

/**
 * Holds a log against what an outside anchor was told. What the anchor's file says is believed where the log's own key
 * signed it; a line of it that nobody signed says that the file was changed, and nothing about the log.
 */
export function heldAgainstAnchor(text: string, { walk, keys, hashes }: Walked): { fault: string } | { upTo: number } {
  let upTo = -1;
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.includes(FORMAT)) continue;
    const signed = parseSigned(line);
    if (!signed) return fault(`anchor damaged: line ${at + 1} of it is not whole`);
    if (signed.ledger !== walk.ledger) continue;
    const { segment, seq, hash } = signed;
    const key = keys.get(segment);
    if (key === undefined && seq > walk.seq) return fault(`cut: anchor names ${seq}, log ends at ${walk.seq}`);
    if (key === undefined || !isSignedBy(signed, key)) {
      return fault(`anchor damaged: line ${at + 1} of it is not signed by the key of the log`);
    }
    if (seq > walk.seq) return fault(`cut: anchor names ${seq}, log ends at ${walk.seq}`);
    if (seq > 0 && hashes.get(seq) !== hash) return fault(`broken at seq ${seq}: anchor`);
    upTo = Math.max(upTo, seq);
  }
  return upTo >= 0 ? { upTo } : fault(`anchor does not know this log (${walk.ledger ?? 'it has no records'})`);
}

const fault = (words: string): { fault: string } => ({ fault: words });
