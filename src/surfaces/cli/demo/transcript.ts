import { printJson } from '../call-tool.js';
import { colourText } from '../terminal.js';
import type { Context } from '../context.js';

/** Where the text of a step begins. */
const COLUMN = 12;

/** The steps of the demo, numbered, in columns; or, for programs, all of them as one object at the end. */
export class Transcript {
  readonly facts: { steps: object[]; picture?: string } = { steps: [] };

  constructor(
    private readonly context: Context,
    private readonly json: boolean,
  ) {}

  say(text: string): void {
    if (!this.json) this.context.terminal.out(text);
  }

  step(word: string, text: string, facts: object): void {
    const { paint } = this.context.terminal;
    const step = this.facts.steps.push({ step: this.facts.steps.length + 1, what: word, ...facts });
    this.say(`${paint('cyan', String(step))} ${paint('bold', word.padEnd(COLUMN - 3))} ${text}\n`);
  }

  aside(text: string): void {
    this.say(`${' '.repeat(COLUMN)}${text}\n`);
  }

  /** What came of a step, as somebody else than us says it. */
  proof(text: string): void {
    this.aside(this.context.terminal.paint('green', text));
  }

  /** A command as one would type it, and below it what was answered. */
  call(command: string, answer: readonly string[]): void {
    this.aside(this.context.terminal.paint('grey', this.cut(`$ ${command}`)));
    this.excerpt(answer);
  }

  /** The same, for an answer whose end matters too. */
  callInFull(command: string, answer: string): void {
    const lines = inLines(answer, this.room);
    this.call(command, lines);
  }

  /** App text: cut to the terminal's width, cleaned, in the colours of a look. */
  excerpt(lines: readonly string[]): void {
    for (const line of lines) this.aside(`  ${colourText(this.cut(line), this.context.terminal.paint)}`);
  }

  end(ms: number): void {
    const { paint } = this.context.terminal;
    if (this.json) return printJson(this.context, { schema: 1, untrusted: true, ...this.facts, ms });
    this.say(`Done in ${Math.round(ms / 1000)} s. Desktop stopped, nothing left running.\n`);
    this.say(`Next:  npx deskproof init         ${paint('grey', 'let Claude, VS Code or Cursor use it')}\n`);
    this.say(`       npx deskproof doctor       ${paint('grey', 'what works on your own screen')}\n`);
    this.say(`       docs/library.md             ${paint('grey', 'script it in TypeScript')}\n`);
  }

  private get room(): number {
    return Math.max(40, this.context.terminal.columns - COLUMN - 3);
  }

  private cut(line: string): string {
    return line.length > this.room ? `${line.slice(0, this.room - 1)}…` : line;
  }
}

function inLines(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
