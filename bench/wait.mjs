// node bench/wait.mjs [--rounds 20 --json]: how soon a wait sees what it waits for, and what waiting costs.
import '../scripts/node-version.mjs';

const { spawn } = await import('node:child_process');
const { mkdtemp, rm } = await import('node:fs/promises');
const { availableParallelism, loadavg, tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { createInterface } = await import('node:readline');
const { fileURLToPath } = await import('node:url');
const { parseArgs } = await import('node:util');
const { build, isBuilt } = await import('../scripts/build.mjs');
const { ensurePackages, FULL } = await import('../scripts/packages.mjs');
const { giveUp } = await import('../scripts/run.mjs');
const { ms, statistics } = await import('./numbers.mjs');

const IDLE_MS = 10_000;
const { rounds, json } = options();

if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
await ensurePackages(FULL);
const { openDesktop, perform, TOOLS } = await import('./house.mjs');

const results = await measure();
console.log(json ? JSON.stringify(results, undefined, 2) : report(results));

async function measure() {
  const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
  const places = { runtimeDir: join(directory, 'run'), homeDir: join(directory, 'home') };
  const size = { width: 1280, height: 900 };
  const opened = await openDesktop({
    kind: 'virtual',
    name: `wait-${process.pid}`,
    size,
    monitors: 1,
    visible: false,
    ...places,
  });
  const { desktop, seat } = opened;
  const apps = [];
  try {
    const loadBefore = loadavg()[0];
    const windows = [];
    const states = {};
    for (const toolkit of ['gtk3', 'qt']) {
      const app = await startApp(toolkit, seat.env);
      apps.push(app);
      await wait(desktop, { until: 'checkbox:Tick', window: `Bench ${toolkit}` });
      states[toolkit] = [];
    }
    const [gtk3, qt] = apps;
    for (let round = 0; round <= rounds; round++) {
      const window = await windowSeen(desktop, gtk3, round);
      const ticks = {
        gtk3: await stateSeen(desktop, gtk3, 'gtk3', round),
        qt: await stateSeen(desktop, qt, 'qt', round),
      };
      if (round === 0) continue; // The first of each finds nothing prepared.
      windows.push(window);
      for (const toolkit of ['gtk3', 'qt']) states[toolkit].push(ticks[toolkit]);
    }
    // What the rounds left behind is collected first, or it would be counted as the cost of waiting.
    await idleCost(desktop, 'button:Nowhere');
    const idle = {
      'a window': await idleCost(desktop, { window: 'Nowhere' }),
      'an element, anywhere': await idleCost(desktop, 'button:Nowhere'),
      'no change': await idleCost(desktop, { all: ['button:Nowhere', { stableMs: 60_000 }] }),
    };
    return {
      machine: { cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0], rounds },
      window: statistics(windows),
      states: Object.fromEntries(
        Object.entries(states).map(([toolkit, all]) => [
          toolkit,
          {
            fromEvent: statistics(all.map((one) => one.fromEvent)),
            fromApp: statistics(all.map((one) => one.fromApp)),
          },
        ]),
      ),
      idle,
    };
  } finally {
    for (const app of apps) app.end();
    await opened.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function wait(desktop, args) {
  return perform(desktop, TOOLS, { tool: 'ui_wait', args, caller: 'bench' });
}

function now() {
  return performance.timeOrigin + performance.now();
}

/** From the moment at which the app was told that its window is on the screen. */
async function windowSeen(desktop, app, round) {
  const waiting = wait(desktop, { until: { window: `Bench window ${round}` } }).then(now);
  await aMoment();
  const mapped = app.said('mapped');
  app.say(`open ${round}`);
  const [seen, at] = await Promise.all([waiting, mapped]);
  const closed = wait(desktop, { until: { windowClosed: `Bench window ${round}` } });
  app.say('close');
  await closed;
  return Math.max(0, seen - at);
}

/** From the accessibility event, as it arrived here, and from just before the app ticked its box. */
async function stateSeen(desktop, app, toolkit, round) {
  let heard;
  const stop = desktop.onEvent((event) => {
    if (event.type === 'state' && event.state === 'checked') heard ??= now();
  });
  const until = { state: ['checkbox:Tick', 'checked', round % 2 === 0] };
  const waiting = wait(desktop, { until, window: `Bench ${toolkit}` }).then(now);
  await aMoment();
  const toggled = app.said('toggle');
  app.say('toggle');
  const [seen, at] = await Promise.all([waiting, toggled]);
  stop();
  return { fromEvent: seen - (heard ?? seen), fromApp: seen - at };
}

/** Long enough for the first look to end and for what happened before to be over. */
function aMoment() {
  return new Promise((resolve) => setTimeout(resolve, 700));
}

/** Of this process, which is the host here; as a part of one core. */
async function idleCost(desktop, until) {
  const before = process.cpuUsage();
  const failed = await wait(desktop, { until, timeoutMs: IDLE_MS }).catch((error) => error);
  const { user, system } = process.cpuUsage(before);
  return { core: (user + system) / 1000 / IDLE_MS, polls: failed.details?.polls };
}

async function startApp(toolkit, env) {
  const path = fileURLToPath(new URL('wait_app.py', import.meta.url));
  const child = spawn('/usr/bin/python3', ['-B', path, toolkit], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, at] = line.split(' ');
    waiting.get(word)?.(Number(at));
  });
  const app = {
    say: (line) => child.stdin.write(`${line}\n`),
    said: (word) => new Promise((resolve) => waiting.set(word, resolve)),
    end: () => child.kill('SIGKILL'),
  };
  await app.said('ready');
  return app;
}

function report({ machine, window, states, idle }) {
  const line = (what, { median, max }, aim) =>
    `  ${what.padEnd(52)} ${ms(median).padStart(6)} ms, worst ${ms(max).padStart(6)} ms   aim ${aim} ms`;
  return [
    '',
    'How soon a wait sees it',
    line('a window, from its mapping', window, 100),
    line('GTK 3: a tick, from its event', states.gtk3.fromEvent, 20),
    line('GTK 3: a tick, from the app', states.gtk3.fromApp, '-'),
    line('Qt: a tick, from its event', states.qt.fromEvent, 20),
    line('Qt: a tick, from the app', states.qt.fromApp, '-'),
    '',
    `What waiting ${IDLE_MS / 1000} s costs when nothing happens (aim: under 1 % of a core)`,
    ...Object.entries(idle).map(
      ([what, { core, polls }]) => `  ${what.padEnd(52)} ${(core * 100).toFixed(2)} % of a core, ${polls} polls`,
    ),
    '',
    `Noise: ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after, ${machine.rounds} rounds.`,
  ].join('\n');
}

function options() {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, json: { type: 'boolean' } } });
    const number = Number(values.rounds);
    if (!Number.isInteger(number) || number < 1 || number > 200) giveUp('--rounds is a number from 1 to 200.');
    return { rounds: number, json: values.json === true };
  } catch (error) {
    return giveUp(`${error.message.split('. ')[0]}. There are --rounds N and --json.`);
  }
}
