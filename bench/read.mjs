// npm run bench [-- --rounds 5 --json]: how fast real apps are read, side by side with pyatspi, in one run.
import '../scripts/node-version.mjs';

const { availableParallelism, loadavg, cpus } = await import('node:os');
const { parseArgs } = await import('node:util');
const { build, isBuilt } = await import('../scripts/build.mjs');
const { ensurePackages, FULL } = await import('../scripts/packages.mjs');
const { giveUp } = await import('../scripts/run.mjs');

const { rounds, json } = options();
const say = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

if (!isBuilt()) {
  say('building');
  const problems = await build();
  if (problems) giveUp(problems);
}
await ensurePackages(FULL);
const results = await measure();
say('');
if (json) console.log(JSON.stringify(results, undefined, 2));
else console.log((await import('./report.mjs')).report(results));

async function measure() {
  const { openScene } = await import('./scene.mjs');
  const { likeForLike } = await import('./like-for-like.mjs');
  const { looks } = await import('./looks.mjs');
  const { hungApp } = await import('./hung.mjs');
  const { warm } = await import('./warm.mjs');
  const scene = await openScene((app) => say(`starting ${app}`));
  // Ctrl-C ends the desktop too: the seat's keeper sees that this process is gone.
  try {
    const loadBefore = load();
    const full = await likeForLike(scene, rounds, say);
    const look = await looks(scene, rounds, say);
    const remembered = await warm(scene, rounds, say);
    const hung = await hungApp(scene, rounds, say);
    const machine = { cores: availableParallelism(), cpu: cpus()[0]?.model, node: process.version, rounds };
    return { machine: { ...machine, loadBefore, loadAfter: load() }, likeForLike: full, looks: look, remembered, hung };
  } finally {
    await scene.close();
  }
}

function load() {
  return loadavg()[0].toFixed(1);
}

function options() {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean' } } });
    const number = Number(values.rounds);
    if (!Number.isInteger(number) || number < 1 || number > 100) giveUp('--rounds is a number from 1 to 100.');
    return { rounds: number, json: values.json === true };
  } catch (error) {
    return giveUp(`${error.message.split('. ')[0]}. There are --rounds N and --json.`);
  }
}
