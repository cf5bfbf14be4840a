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
  try {
    await real.call('ui_wait', { until: shows, timeoutMs: 15_000 });
    for (const [tool, given] of steps) await real.call(tool, given);
    await started.exited;
  } catch (error) {
    // Its buttons would be in the way of the next test.
    process.kill(started.pid, 'SIGKILL');
    throw error;
  }
  return printed.join('').trim();
}

const OK: Step = ['ui_click', { target: 'button:OK' }];

test('a check list', async () => {
  const rows = ['TRUE', 'Apples', 'FALSE', 'Pears', 'FALSE', 'Plums'];
  const args = ['--list', '--checklist', '--title=Fruit', '--column=Take', '--column=Kind', ...rows];
  const pears = 'row:Pears >> role=cell >> nth=0';
  const steps: Step[] = [['ui_click', { target: pears }], OK];
  expect(await answerOf(args, 'row:Pears', steps)).toBe('Apples|Pears');
});

test('a form', async () => {
  const args = ['--forms', '--title=Guest', '--add-entry=Name', '--add-entry=Town'];
  const steps: Step[] = [
    ['ui_set_value', { target: '"Name" >> right-of >> role=textbox', value: 'Ada' }],
    ['ui_set_value', { target: '"Town" >> right-of >> role=textbox', value: 'London' }],
    OK,
  ];
  expect(await answerOf(args, 'group:"Forms dialog"', steps)).toBe('Ada|London');
});

test('a scale', async () => {
  const args = ['--scale', '--title=Volume', '--value=10', '--max-value=100'];
  expect(await answerOf(args, 'role=slider', [['ui_set_value', { target: 'role=slider', value: 40 }], OK])).toBe('40');
});
