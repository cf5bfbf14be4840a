import { styleText } from 'node:util';

/** Where a command writes, and what that output can display. */
export interface Terminal {
  /** stdout is a terminal: no markers, colours, a line with the desktop's name. */
  readonly isTerminal: boolean;
  readonly errorsToUser: boolean;
  /** stderr is a terminal that can rewrite a line. */
  readonly canShowProgress: boolean;
  readonly paint: Paint;
  readonly paintErrors: Paint;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
}

export type Colour = 'grey' | 'bold' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';
export type Paint = (colour: Colour, text: string) => string;

const plain: Paint = (_, text) => text;
// wantsColour decides, for each of our streams; styleText would check stdout and the real environment.
const coloured: Paint = (colour, text) => (text === '' ? '' : styleText(colour, text, { validateStream: false }));

type Env = Readonly<Record<string, string | undefined>>;
interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Follows the NO_COLOR and FORCE_COLOR conventions. FORCE_COLOR takes precedence. */
export function wantsColour(isTerminal: boolean, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

export function createTerminal(stdout: Stream, stderr: Stream, env: Env): Terminal {
  return {
    isTerminal: stdout.isTTY === true,
    errorsToUser: stderr.isTTY === true,
    canShowProgress: stderr.isTTY === true && env.TERM !== 'dumb',
    paint: wantsColour(stdout.isTTY === true, env) ? coloured : plain,
    paintErrors: wantsColour(stderr.isTTY === true, env) ? coloured : plain,
    columns: stdout.columns ?? 100,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
  };
}

// Characters that a terminal could interpret: C0 except tab and newline, DEL, C1, and bidirectional controls.
const CONTROL_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text is cleaned where it is read. This is a second barrier before the user's terminal. */
export function safeForTerminal(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '');
}

const STATES =
  'focused|active|modal|disabled|readonly|required|invalid|checked|mixed|selected|pressed|expanded|collapsed|busy|offscreen|secret|minimised|maximised|hung';
// Quoted app text comes first, so that nothing inside it is taken for our own syntax.
const HIGHLIGHTED = new RegExp(
  String.raw`(?<quoted>"(?:[^"\\]|\\.)*")|(?<ref>(?<![\w/.-])[ewsc]\d+(?![\w/.-]))|(?<state>(?<![\w-])(?:${STATES})(?![\w-]))`,
  'g',
);
/** Our own lines about the answer, which are not part of it. */
const NOTE_LINE = /^\s*(…|\(|snapshot s\d|rows \d|items \d|characters \d|cells |next: |meanwhile: |\d+ events? )/;

/** Colours an answer: refs stand out, and notes are dimmed. */
export function colourText(text: string, paint: Paint): string {
  return safeForTerminal(text)
    .split('\n')
    .map((line) => (NOTE_LINE.test(line) ? paint('grey', line) : colourLine(line, paint)))
    .join('\n');
}

function colourLine(line: string, paint: Paint): string {
  const sign = /^(\s*)([+~-]) /.exec(line);
  const start = sign ? sign[0].length : 0;
  const head = sign
    ? `${sign[1]}${paint(sign[2] === '+' ? 'green' : sign[2] === '-' ? 'red' : 'yellow', sign[2]!)} `
    : '';
  let out = head;
  let last = start;
  HIGHLIGHTED.lastIndex = start;
  for (let match = HIGHLIGHTED.exec(line); match; match = HIGHLIGHTED.exec(line)) {
    const { quoted, ref, state } = match.groups ?? {};
    out += line.slice(last, match.index);
    if (quoted !== undefined) out += paint('bold', quoted);
    else if (ref !== undefined) out += paint('cyan', ref);
    else out += paint('yellow', state ?? '');
    last = match.index + match[0].length;
  }
  return out + line.slice(last);
}

const FIRST_UPDATE_MS = 300;
const UPDATE_INTERVAL_MS = 100;

/** One line on stderr, rewritten during a long read and removed at its end. Quick reads never show it. */
export class ProgressLine {
  private shown = false;
  private isHidden = false;
  private nextUpdate = performance.now() + FIRST_UPDATE_MS;

  constructor(
    private readonly terminal: Terminal,
    private readonly what: string,
  ) {}

  update(done: number): void {
    const now = performance.now();
    if (this.isHidden || !this.terminal.canShowProgress || now < this.nextUpdate) return;
    this.nextUpdate = now + UPDATE_INTERVAL_MS;
    this.shown = true;
    this.terminal.err(
      `\r\x1b[K${this.terminal.paintErrors('grey', `${this.what}: ${done.toLocaleString('en')} elements read …`)}`,
    );
  }

  /** Hides the line while a prompt and its input need it. */
  async hideWhile(work: () => Promise<void>): Promise<void> {
    this.clear();
    this.isHidden = true;
    try {
      await work();
    } finally {
      this.isHidden = false;
    }
  }

  clear(): void {
    if (this.shown) this.terminal.err('\r\x1b[K');
    this.shown = false;
  }
}
