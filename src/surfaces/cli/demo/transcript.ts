import { printJson } from '../call-tool.js';
import { colourText } from '../terminal.js';
import type { Context } from '../context.js';

/** Column where the text of a step begins. */
const COLUMN = 12;

/** Prints the demo's numbered steps or, with --json, one object at the end. */
export class Transcript {
  readonly facts: { steps: object[]; picture?: string } = { steps: [] };

  constructor(
    private readonly context: Context,
    private readonly json: boolean,
  ) {}

  print(text: string): void {
    if (!this.json) this.context.terminal.out(text);
  }

  step(word: string, text: string, facts: object): void {
    const { paint } = this.context.terminal;
    const step = this.facts.steps.push({ step: this.facts.steps.length + 1, what: word, ...facts });
    this.print(`${paint('cyan', String(step))} ${paint('bold', word.padEnd(COLUMN - 3))} ${text}\n`);
  }

  aside(text: string): void {
    this.print(`${' '.repeat(COLUMN)}${text}\n`);
  }

  /** The result of a step, as observed independently of Deskproof. */
  proof(text: string): void {
    this.aside(this.context.terminal.paint('green', text));
  }

  /** A command line with its answer below. */
  call(command: string, answer: readonly string[]): void {
    this.aside(this.context.terminal.paint('grey', this.cut(`$ ${command}`)));
    this.excerpt(answer);
  }

  /** The same with the whole answer, broken into lines. */
  callInFull(command: string, answer: string): void {
    const lines = wrapWords(answer, this.width);
    this.call(command, lines);
  }

  /** App text: cleaned, cut to the terminal's width, in the colours of a snapshot. */
  excerpt(lines: readonly string[]): void {
    for (const line of lines) this.aside(`  ${colourText(this.cut(line), this.context.terminal.paint)}`);
  }

  end(ms: number): void {
    const { paint } = this.context.terminal;
    if (this.json) return printJson(this.context, { schema: 1, untrusted: true, ...this.facts, ms });
    this.print(`Done in ${Math.round(ms / 1000)} s. The desktop is stopped, and nothing is left running.\n`);
    this.print(`Next:  npx deskproof init         ${paint('grey', 'let Claude, VS Code or Cursor use it')}\n`);
    this.print(`       npx deskproof doctor       ${paint('grey', 'what works on your own screen')}\n`);
    this.print(`       docs/library.md             ${paint('grey', 'script it in TypeScript')}\n`);
  }

  private get width(): number {
    return Math.max(40, this.context.terminal.columns - COLUMN - 3);
  }

  private cut(line: string): string {
    return line.length > this.width ? `${line.slice(0, this.width - 1)}…` : line;
  }
}

function wrapWords(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
