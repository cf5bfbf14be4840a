// The remembered tree: a look at a window in which nothing happened, beside a fresh read of it, and the first right look
// after one change. The change is made by the app's own action on a connection that the driver does not know.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ms, ratio, statistics, times } from './numbers.mjs';
import { callsTo, soon } from './scene.mjs';

const ACTION = 'org.a11y.atspi.Action';
const PATIENCE_MS = 5000;
/** Longer than what was noticed stays in force. */
const QUIET_MS = 400;

export async function warm(scene, rounds, say) {
  const results = [];
  for (const subject of await subjects(scene)) {
    say(`remembered tree, ${subject.title}`);
    const unchanged = await unchangedLooks(scene, subject.window, rounds);
    const changed = subject.target && (await afterChanges(scene, subject, rounds));
    results.push({ window: subject.title, unchanged, changed });
  }
  return results;
}

/** What is switched, and where that shows. */
async function subjects(scene) {
  const { calc, writer, chromium } = scene.windows;
  return [
    { title: 'GTK 3, standard scene', window: await startFixture(scene, 'gtk3.py'), target: ['checkbox', 'Wrap'] },
    { title: 'Qt, standard scene', window: await startFixture(scene, 'qt.py'), target: ['checkbox', 'Wrap'] },
    { title: 'Chromium', window: chromium, target: ['checkbox', 'Paid only'] },
    { title: 'LibreOffice Writer', window: writer, target: ['togglebutton', 'Bold'] },
    { title: 'LibreOffice Calc', window: calc },
  ];
}

/** The widget factory is never still: something in it moves all the time. */
async function startFixture(scene, file) {
  const path = fileURLToPath(new URL(`../tests/fixture-apps/${file}`, import.meta.url));
  // It runs as long as its standard input is open, and ends with the desktop.
  const { pid } = spawn('/usr/bin/python3', ['-B', path], { env: scene.env, stdio: ['pipe', 'ignore', 'ignore'] });
  const end = performance.now() + PATIENCE_MS * 4;
  while (performance.now() < end) {
    await pause(250);
    const { windows } = await scene.driver.windows({ deadline: soon() });
    const window = windows.find((one) => one.pid === pid);
    if (window && (await read(scene, window)).count > 20) return window;
  }
  throw new Error(`${file} was not there`);
}

async function unchangedLooks(scene, window, rounds) {
  await quietLook(scene, window);
  const remembered = [];
  const fresh = [];
  for (let round = 0; round < Math.max(5, rounds); round++) {
    fresh.push(await timed(() => read(scene, window, { fresh: true })));
    await quietLook(scene, window);
    remembered.push(await timed(() => read(scene, window)));
  }
  const last = remembered.at(-1).value;
  return {
    elements: last.count,
    calls: { fresh: fresh.at(-1).value.calls, remembered: Math.max(...remembered.map(({ value }) => value.calls)) },
    fresh: statistics(fresh.map((one) => one.ms)),
    remembered: statistics(remembered.map((one) => one.ms)),
    ratio: ratio(
      fresh.map((one) => one.ms),
      remembered.map((one) => one.ms),
    ),
  };
}

/** Until a look asks for nothing: what was noticed before is out of force. */
async function quietLook(scene, window) {
  const end = performance.now() + PATIENCE_MS;
  await pause(QUIET_MS);
  while ((await read(scene, window)).calls > 0 && performance.now() < end) await pause(50);
}

async function afterChanges(scene, { window, target: [role, name] }, rounds) {
  const told = [];
  const looks = [];
  const calls = [];
  for (let round = 0; round < Math.max(5, rounds); round++) {
    await quietLook(scene, window);
    const before = (await read(scene, window)).root;
    const element = find(before, role, name);
    if (!element) return undefined;
    const was = stateOf(before, element);
    const app = await callsTo(scene, window.pid);
    const news = listen(scene.driver, window.pid);
    await news.ready;
    const started = performance.now();
    const acted = app.call(element.id.slice(element.id.indexOf('/')), ACTION, 'DoAction', 'i', [0]);
    await Promise.race([once(news.first, 'abort'), pause(PATIENCE_MS)]);
    told.push(performance.now() - started);
    const heard = performance.now();
    let sum = 0;
    for (;;) {
      const { root, calls: made } = await read(scene, window);
      sum += made;
      if (stateOf(root, element) !== was || performance.now() - heard > PATIENCE_MS) break;
    }
    looks.push(performance.now() - heard);
    calls.push(sum);
    await acted;
    news.end();
  }
  return { told: statistics(told), look: statistics(looks), calls: statistics(calls) };
}

/** The first event of this app, by whatever sign. */
function listen(driver, pid) {
  const end = new AbortController();
  const first = new AbortController();
  const events = driver.events({ signal: end.signal });
  void (async () => {
    for await (const event of events) if (event.pid === pid) first.abort();
  })();
  return { ready: events.ready, first: first.signal, end: () => end.abort() };
}

const read = (scene, window, options = {}) =>
  scene.driver.read({ window: window.id }, { deadline: soon(), ...options });

async function timed(work) {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

function find(node, role, name) {
  if (node.role === role && node.name === name && node.states.enabled) return node;
  for (const child of node.children) {
    const found = find(child, role, name);
    if (found) return found;
  }
  return undefined;
}

function stateOf(root, { id }) {
  const byId = (node) => (node.id === id ? node : node.children.map(byId).find(Boolean));
  return JSON.stringify(byId(root)?.states);
}

export function warmRows(rows) {
  const timing = (one) => (one ? `${ms(one.median)} (${ms(one.min)})` : '');
  return rows.map(({ window, unchanged, changed }) => [
    window,
    String(unchanged.elements),
    `${unchanged.calls.fresh} → ${unchanged.calls.remembered}`,
    timing(unchanged.fresh),
    timing(unchanged.remembered),
    times(unchanged.ratio.ofMedians),
    timing(changed?.told),
    timing(changed?.look),
    changed ? String(changed.calls.median) : '',
  ]);
}
