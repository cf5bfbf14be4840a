import { safeForTerminal, type Paint } from './terminal.js';

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
