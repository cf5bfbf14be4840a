import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryLedger } from '../../../src/audit/index.js';
import type { PrivateDesktop } from '../../../src/drivers/contract/index.js';
import { openDesktop } from '../../../src/compose.js';
import { changedFiles, compilePolicy, readPolicyFiles } from '../../../src/policy/index.js';
import { type Desktop, type PendingApproval, perform, type UserAnswer } from '../../../src/runtime/index.js';
import { Deadline, DesktopError } from '../../../src/shared/index.js';
import { failureText, TOOLS } from '../../../src/tools/index.js';

/** What one call gave; a failure in the same two forms. */
export interface Said {
  text: string;
  json: Record<string, unknown>;
  code?: string;
}

/** Who answers a question, and what happens before they do. No answer: it stays open. */
export type Answerer = (question: PendingApproval) => UserAnswer | undefined | Promise<UserAnswer | undefined>;

export const YES: UserAnswer = { channel: 'terminal', scope: 'once' };
export const NO: UserAnswer = { channel: 'terminal', reason: 'no' };

/** A private desktop whose rules come from a file on the disk, with a user who answers the questions. */
export class GovernedDesktop {
  /** Every question so far, in its order. */
  readonly asked: PendingApproval[] = [];

  private constructor(
    readonly desktop: Desktop,
    readonly seat: PrivateDesktop,
    readonly ledger: MemoryLedger,
    /** The user's policy. */
    readonly policyFile: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async open(policy: string, size = { width: 1280, height: 900 }): Promise<GovernedDesktop> {
    const directory = mkdtempSync(join(tmpdir(), 'dp-governed-'));
    const policyFile = join(directory, 'policy.yaml');
    writeFileSync(policyFile, policy, { mode: 0o600 });
    const { files, identities } = readPolicyFiles({ user: policyFile, managed: join(directory, 'managed.yaml') });
    const ledger = new MemoryLedger();
    const places = { runtimeDir: join(directory, 'run'), homeDir: join(directory, 'home') };
    const open = await openDesktop(
      { kind: 'virtual', name: `governed-${process.pid}`, size, monitors: 1, visible: false, ...places },
      undefined,
      { policy: compilePolicy(files, 'virtual'), policyChanged: () => changedFiles(identities), ledger },
    );
    return new GovernedDesktop(open.desktop, open.seat!, ledger, policyFile, async () => {
      await open.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** One call. `user` answers its questions; without it, no user can be asked. */
  async call(tool: string, args: object = {}, user?: Answerer, caller = 'mcp:a'): Promise<Said> {
    const ask = async (question: PendingApproval): Promise<void> => {
      this.asked.push(question);
      const answer = await user!(question);
      if (answer) this.desktop.authorizer.questions.answer(question.id, answer);
    };
    let broken: Error | undefined;
    const onQuestion = (question: PendingApproval): void =>
      void ask(question).catch((error: unknown) => {
        broken = error as Error;
        this.desktop.authorizer.questions.void('the test is broken');
      });
    try {
      const done = await perform(this.desktop, TOOLS, { tool, args, caller, ...(user && { onQuestion }) });
      return { text: done.text, json: done.json };
    } catch (error) {
      if (broken) throw broken;
      if (!(error instanceof DesktopError)) throw error;
      return { text: failureText(error), json: { ...error.toJSON() }, code: error.code };
    }
  }

  /** For tests that call the driver directly. */
  soon(): Deadline {
    return Deadline.in(15_000);
  }

  close(): Promise<void> {
    return this.end();
  }
}
