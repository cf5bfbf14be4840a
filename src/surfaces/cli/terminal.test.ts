import { describe, expect, it } from 'vitest';
import { colourText, safeForTerminal, createTerminal, wantsColour } from './terminal.js';

describe('wantsColour', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
  ])('terminal %s with %j: %s', (isTerminal, env, wanted) => {
    expect(wantsColour(isTerminal, env)).toBe(wanted);
  });
});

describe('safeForTerminal', () => {
  it.each([
    ['\x1b[31mred\x1b[0m', '[31mred[0m'],
    ['title\x07\x1b]0;x\x07', 'title]0;x'],
    ['a\r\nb\tc', 'a\nb\tc'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['\x9b2J日本 😀', '2J日本 😀'],
  ])('%j becomes %j', (text, safe) => {
    expect(safeForTerminal(text)).toBe(safe);
  });
});

describe('colourText', () => {
  const { paint } = createTerminal({ write: () => true }, { write: () => true }, { FORCE_COLOR: '1' });
  const tagged = (colour: string, text: string) => `<${colour}>${text}</>`;
  const show = (text: string) => colourText(text, tagged);

  it.each([
    [
      'e7 textbox "E-mail" required: "ada@"',
      '<cyan>e7</> textbox <bold>"E-mail"</> <yellow>required</>: <bold>"ada@"</>',
    ],
    ['w1 window "e5 focused \\" w2" active', '<cyan>w1</> window <bold>"e5 focused \\" w2"</> <yellow>active</>'],
    ['snapshot s7 of w2, 28 elements', '<grey>snapshot s7 of w2, 28 elements</>'],
    ['  … rows 25-200: ui_read e40 25-74', '<grey>  … rows 25-200: ui_read e40 25-74</>'],
    ['+ e3 alert "Hi"', '<green>+</> <cyan>e3</> alert <bold>"Hi"</>'],
    ['gnome-e2 x', 'gnome-e2 x'],
  ])('%s', (line, wanted) => expect(show(line)).toBe(wanted));

  it('passes no escape sequence from an app to the terminal', () => {
    expect(colourText('e1 button "\x1b[2Jx"', paint)).not.toContain('\x1b[2J');
  });
});
