import { fakeDesktop, type Controls } from '../../src/drivers/fake/index.js';
import { DIALOG_WINDOW, MAIN_WINDOW, sceneSpec } from './fake-scene.js';
import type { Stage } from './stage.js';

export async function openFakeStage(options: { recycle?: boolean } = {}): Promise<Stage> {
  const { driver, controls } = fakeDesktop(sceneSpec(options));
  let alive = true;
  return {
    driver,
    command: async (line) => perform(controls, line),
    hang: async () => controls.hang('main'),
    resume: async () => controls.resume('main'),
    kill: async () => {
      controls.kill('main');
      alive = false;
    },
    restart: async () => {
      if (alive) controls.closeWindow('main');
      const main = sceneSpec(options).windows.find((window) => window.key === MAIN_WINDOW.key)!;
      controls.openWindow(main);
      controls.resume('main');
      alive = true;
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
