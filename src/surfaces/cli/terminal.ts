/** Where a command writes, and what the place can show. */
export interface Terminal {
  /** A person reads stdout: no marks, colour, a line that names the desktop. */
  readonly isPerson: boolean;
  readonly errorsToPerson: boolean;
  /** A person reads stderr, and one line of it can be written again and again. */
  readonly canShowProgress: boolean;
  readonly paint: Paint;
  readonly paintErrors: Paint;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
}

export type Colour = 'grey' | 'bold' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';
export type Paint = (colour: Colour, text: string) => string;

const CODES: Record<Colour, [number, number]> = {
  grey: [90, 39],
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
};

const plain: Paint = (_, text) => text;
const coloured: Paint = (colour, text) => {
  const [on, off] = CODES[colour];
  return text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`;
};

type Env = Readonly<Record<string, string | undefined>>;
interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** NO_COLOR and FORCE_COLOR as everybody reads them; a set FORCE_COLOR wins. */
export function wantsColour(isTerminal: boolean, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

export function terminalOf(stdout: Stream, stderr: Stream, env: Env): Terminal {
  return {
    isPerson: stdout.isTTY === true,
    errorsToPerson: stderr.isTTY === true,
    canShowProgress: stderr.isTTY === true && env.TERM !== 'dumb',
    paint: wantsColour(stdout.isTTY === true, env) ? coloured : plain,
    paintErrors: wantsColour(stderr.isTTY === true, env) ? coloured : plain,
    columns: stdout.columns ?? 100,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
  };
}

// Everything a terminal could take for a command: C0 but tab and newline, DEL, C1, and what turns text around.
const DANGEROUS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text is cleaned where it is read; this is the second lock before it reaches a person's terminal. */
export function safeForTerminal(text: string): string {
  return text.replace(DANGEROUS, '');
}

const STATES =
  'focused|active|modal|disabled|readonly|required|invalid|checked|mixed|selected|pressed|expanded|collapsed|busy|offscreen|secret|minimised|maximised|hung';
// Quoted app text first, so that nothing inside it is taken for a word of ours.
const PARTS = new RegExp(
  String.raw`(?<quoted>"(?:[^"\\]|\\.)*")|(?<ref>(?<![\w/.-])[ewsc]\d+(?![\w/.-]))|(?<state>(?<![\w-])(?:${STATES})(?![\w-]))`,
  'g',
);
/** Lines of ours about the answer, not part of it. */
const ASIDE = /^\s*(…|\(|snapshot s\d|rows \d|items \d|characters \d|cells |next: |meanwhile: |\d+ events? )/;

/** The answer as a person likes it: refs stand out, asides step back, the rest stays as it is. */
export function colourText(text: string, paint: Paint): string {
  return safeForTerminal(text)
    .split('\n')
    .map((line) => (ASIDE.test(line) ? paint('grey', line) : colourLine(line, paint)))
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
  PARTS.lastIndex = start;
  for (let match = PARTS.exec(line); match; match = PARTS.exec(line)) {
    const { quoted, ref, state } = match.groups ?? {};
    out += line.slice(last, match.index);
    if (quoted !== undefined) out += paint('bold', quoted);
    else if (ref !== undefined) out += paint('cyan', ref);
    else out += paint('yellow', state ?? '');
    last = match.index + match[0].length;
  }
  return out + line.slice(last);
}

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
