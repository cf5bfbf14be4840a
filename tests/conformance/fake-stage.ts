import { fakeDesktop, type Controls } from '../../src/drivers/fake/index.js';
import { soon } from './case.js';
import { DIALOG_WINDOW, MAIN_WINDOW, sceneSpec } from './fake-scene.js';
import type { DiaryLine } from './fixture-app.js';
import { DIALOG } from './scene.js';
import type { Stage } from './stage.js';

export async function openFakeStage(options: { recycle?: boolean } = {}): Promise<Stage> {
  const { driver, controls, diary } = fakeDesktop(sceneSpec(options));
  let from = 0;
  return {
    driver,
    command: async (line) => perform(controls, line),
    diary: () => diary.slice(from).map(inSceneWords),
    hang: async () => controls.hang('main'),
    resume: async () => controls.resume('main'),
    kill: async () => {
      controls.kill('main');
    },
    restart: async () => {
      const { windows } = await driver.windows({ deadline: soon() });
      if (windows.some(({ pid }) => pid === MAIN_WINDOW.pid)) controls.closeWindow('main');
      const main = sceneSpec(options).windows.find((window) => window.key === MAIN_WINDOW.key)!;
      controls.openWindow(main);
      controls.resume('main');
      from = diary.length;
    },
    close: () => driver.close(),
  };
}

type Command = (controls: Controls, argument: string) => void;

const COMMANDS: Record<string, Command> = {
  'set-label': (controls, text) => controls.setName('label', text),
  'set-text': (controls, argument) => {
    const at = argument.indexOf(' ');
    controls.setValue(argument.slice(0, at), plain(argument.slice(at + 1)));
  },
  check: (controls, argument) => controls.setState('Wrap', 'checked', argument !== 'off'),
  'add-child': (controls, name) => void controls.addChild('box', { role: 'button', name }),
  'remove-child': (controls, name) => controls.remove(name),
  'scroll-list': (controls, n) => controls.scroll('Items', Number(n)),
  focus: (controls, name) => controls.focus(name),
  'open-dialog': (controls) => void controls.openWindow(DIALOG_WINDOW),
  'close-dialog': (controls) => controls.closeWindow('dialog'),
  title: (controls, title) => controls.setTitle('main', title),
  hide: (controls, name) => controls.hide(name),
  show: (controls, name) => controls.hide(name, false),
  quit: (controls) => controls.closeWindow('main'),
};

function perform(controls: Controls, line: string): void {
  const [word = ''] = line.split(' ');
  const command = COMMANDS[word];
  if (!command) throw new Error(`the fixture knows no command ${word}`);
  command(controls, plain(line.slice(word.length + 1)));
}

function plain(argument: string): string {
  return argument.startsWith('"') ? (JSON.parse(argument) as string) : argument;
}

const ANSWERS = new Set(['Yes', 'No']);
const TICKED = new Set(['checkbox', 'radio']);

/** `set "Bob" in textbox "Name"` is {"text": "Name", "value": "Bob"} to a fixture app. */
function inSceneWords(line: string): DiaryLine {
  const [, verb = '', given, role = '', name = ''] = /^(\w+) (?:(".*?"|[\d.]+) in )?(\w+) "(.*)"$/.exec(line) ?? [];
  if (verb === 'set' && given?.startsWith('"')) return { text: name, value: JSON.parse(given) as string };
  if (verb === 'set') return { value: name, is: Number(given) };
  if (verb === 'increment' || verb === 'decrement') return { value: name };
  if (TICKED.has(role)) return { toggled: name };
  if (verb === 'select') return { selected: name };
  return ANSWERS.has(name) ? { dialog: DIALOG, answer: name } : { clicked: name };
}
