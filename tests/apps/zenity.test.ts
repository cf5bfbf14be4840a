import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRealDesktop, type RealDesktop } from '../e2e/support/real-desktop.js';

// Zenity prints what was chosen in its dialog: the witness of each act.
let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(async () => real?.stop());

type Step = [tool: string, args: Record<string, unknown>];

async function answerOf(args: string[], shows: string, steps: Step[]): Promise<string> {
  const started = await real.seat.launch('zenity', args, { output: 'pipe' });
  const printed: string[] = [];
  started.stdout!.on('data', (data: Buffer) => printed.push(data.toString()));
  await real.call('ui_wait', { until: shows, timeoutMs: 15_000 });
  for (const [tool, given] of steps) await real.call(tool, given);
  await started.exited;
  return printed.join('').trim();
}

const OK: Step = ['ui_click', { target: 'button:OK' }];

test('a check list', async () => {
  const rows = ['TRUE', 'Apples', 'FALSE', 'Pears', 'FALSE', 'Plums'];
  const args = ['--list', '--checklist', '--title=Fruit', '--column=Take', '--column=Kind', ...rows];
  const pears = 'row:Pears >> cell';
  const steps: Step[] = [['ui_act', { target: `${pears}[1]`, action: 'check' }], OK];
  expect(await answerOf(args, 'cell:Pears', steps)).toBe('Apples|Pears');
});

test('a form', async () => {
  const args = ['--forms', '--title=Guest', '--add-entry=Name', '--add-entry=Town'];
  const steps: Step[] = [
    ['ui_set_value', { target: 'textbox:Name', value: 'Ada' }],
    ['ui_set_value', { target: 'textbox:Town', value: 'London' }],
    OK,
  ];
  expect(await answerOf(args, 'textbox:Name', steps)).toBe('Ada|London');
});

test('a scale', async () => {
  const args = ['--scale', '--title=Volume', '--value=10', '--max-value=100'];
  expect(await answerOf(args, 'slider', [['ui_set_value', { target: 'slider', value: 40 }], OK])).toBe('40');
});
