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
