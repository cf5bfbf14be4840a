// One app is stopped, the others must not notice. Running and stopped take turns, so that both have the same noise.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { look, windowsToLookAt } from './looks.mjs';
import { median, statistics } from './numbers.mjs';
import { pyatspi } from './pyatspi.mjs';
import { soon } from './scene.mjs';

/** Lists and looks a turn: short, so one is little. */
const LISTS = 10;
const LOOKS = 3;

export async function hungApp(scene, rounds, say) {
  const { factory } = scene.windows;
  const others = windowsToLookAt(scene).filter(({ window }) => window.pid !== factory.pid);
  const running = turns(others);
  const stopped = turns(others);
  const refusals = [];
  let pyatspiList;
  try {
    for (let round = 0; round < rounds; round++) {
      say(`one app stopped, round ${round + 1} of ${rounds}`);
      await measureTurn(scene, others, running);
      await send(factory.pid, 'SIGSTOP', 'T');
      refusals.push(await refusal(scene.driver, factory.id));
      await measureTurn(scene, others, stopped);
      // Once is enough of that: it waits for the stopped app.
      pyatspiList ??= { stopped: (await pyatspi(scene.env, 'list')).ms };
      await send(factory.pid, 'SIGCONT', 'S');
      pyatspiList.running ??= (await pyatspi(scene.env, 'list')).ms;
    }
  } finally {
    process.kill(factory.pid, 'SIGCONT');
  }
  return {
    stopped: 'gtk3-widget-factory',
    refusal: { code: refusals[0].code, ...statistics(refusals.map((one) => one.ms)) },
    list: { running: statistics(running.lists), stopped: statistics(stopped.lists) },
    pyatspiList,
    looks: others.map(({ title }) => {
      const [before, during] = [running, stopped].map((turn) => turn.looks.get(title));
      return {
        window: title,
        running: statistics(before),
        stopped: statistics(during),
        ratio: median(during) / median(before),
      };
    }),
  };
}

const turns = (others) => ({ lists: [], looks: new Map(others.map(({ title }) => [title, []])) });

async function measureTurn(scene, others, turn) {
  for (let i = 0; i < LISTS; i++) {
    const started = performance.now();
    await scene.driver.windows({ deadline: soon() });
    turn.lists.push(performance.now() - started);
  }
  for (let i = 0; i < LOOKS; i++)
    for (const { title, window } of others) turn.looks.get(title).push((await look(scene.driver, window.id)).ms);
}

/** How soon a look at the stopped app says so. */
async function refusal(driver, window) {
  const started = performance.now();
  try {
    await driver.read({ window }, { deadline: soon() });
    return { code: 'read', ms: performance.now() - started };
  } catch (error) {
    return { code: error.code, ms: performance.now() - started };
  }
}

/** Sends a signal and waits until the kernel says that it took effect. */
async function send(pid, signal, state) {
  process.kill(pid, signal);
  while (stopped(pid) !== (state === 'T')) await pause(5);
}

function stopped(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat[stat.lastIndexOf(')') + 2] === 'T';
}
