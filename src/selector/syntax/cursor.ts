import type { DesktopError } from '../../shared/index.js';
import { syntaxError, type SyntaxFault } from './syntax-error.js';

const SPACE = /\s*/y;

/** A position in the selector's text. Reading never cuts off a prefix, so that long texts stay cheap. */
export class Cursor {
  at = 0;

  constructor(readonly input: string) {}

  get done(): boolean {
    return this.at >= this.input.length;
  }

  get char(): string {
    return this.input.charAt(this.at);
  }

  skipSpace(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.input)![0].length;
  }

  /** The match of a sticky regex here; the position does not move. */
  peek(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    return sticky.exec(this.input);
  }

  take(sticky: RegExp): RegExpExecArray | null {
    const found = this.peek(sticky);
    if (found) this.at += found[0].length;
    return found;
  }

  takeWord(word: string): boolean {
    if (!this.input.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** An operator between terms, steps or alternatives, a closing parenthesis, or the end. */
  atStop(): boolean {
    return this.done || this.char === ')' || isOperatorAt(this.input, this.at);
  }

  fault(fault: Omit<SyntaxFault, 'at'> & { at?: number }): DesktopError {
    return syntaxError(this.input, { at: this.at, ...fault });
  }
}

const DOUBLED = new Set(['>', '?', '&', '|']);

/** `>>` `??` `&&` `||` */
export function isOperatorAt(input: string, at: number): boolean {
  const char = input.charAt(at);
  return DOUBLED.has(char) && input.charAt(at + 1) === char;
}
