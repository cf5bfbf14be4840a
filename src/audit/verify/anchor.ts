import { spawn } from 'node:child_process';
import { debug } from '../../shared/index.js';
import { unavailable } from '../errors.js';
import { anchorLine, isSignedBy, parseSigned, type SignedStatement } from '../signed-head.js';
import type { WalkResult } from './chain.js';

export interface AnchorOptions {
  /** Program and arguments, without a shell. It gets one line on standard input and must exit with 0. */
  command: readonly string[];
  /** Without the anchor no acts are allowed. */
  required?: boolean;
  timeoutMs?: number;
}

/** A later statement covers all before it. So if many could not be sent, the last ones are enough. */
const MAX_UNSENT = 64;
const TIMEOUT_MS = 10_000;

/**
 * Sends signed statements to a program outside: the only proof against an attacker who can write all files of the user.
 */
export class Anchor {
  private readonly unsent: SignedStatement[] = [];
  private running: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly options: AnchorOptions) {}

  /** Why the last statement was not delivered. */
  get lastError(): Error | undefined {
    return this.failure;
  }

  send(signed: SignedStatement): void {
    this.unsent.push(signed);
    if (this.unsent.length > MAX_UNSENT) this.unsent.shift();
    void this.start();
  }

  /** If the anchor is required: resolves when everything is sent, and throws if it could not be. */
  async ready(): Promise<void> {
    if (!this.options.required) return;
    await this.running;
    if (this.unsent.length > 0) await this.start();
    if (this.unsent.length === 0) return;
    throw unavailable(
      'The outside anchor of the log did not accept the signed statement, and it is required.',
      'Check that audit.anchor.command in the policy file works. It must read one line and exit with 0.',
      this.failure,
    );
  }

  /** Resolves when nothing is being sent any more, successfully or not. */
  async settled(): Promise<void> {
    await this.running;
  }

  private start(): Promise<void> {
    this.running ??= this.sendAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async sendAll(): Promise<void> {
    for (let next = this.unsent[0]; next; next = this.unsent[0]) {
      this.failure = await this.runCommand(anchorLine(next));
      if (this.failure) {
        debug('audit', () => `anchor: ${this.failure?.message}`);
        return;
      }
      this.unsent.splice(this.unsent.indexOf(next), 1);
    }
  }

  private runCommand(line: string): Promise<Error | undefined> {
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
      child.stdin.on('error', () => undefined); // It did not read everything; its exit code decides.
      child.stdin.end(line);
    });
  }
}

const FORMAT = 'deskproof-ledger/';

/**
 * Compares a log with the statements that an outside anchor received. A line of the anchor file counts if the log's own
 * key signed it. An unsigned line means that the file was changed, and proves nothing about the log.
 */
export function compareWithAnchor(
  text: string,
  { walk, keys, hashes }: WalkResult,
): { fault: string } | { upTo: number } {
  let upTo = -1;
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.includes(FORMAT)) continue;
    const signed = parseSigned(line);
    if (!signed) return fault(`anchor damaged: line ${at + 1} of it is incomplete`);
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
