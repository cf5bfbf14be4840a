// node bench/secrets.mjs [--rounds 30]: what it costs to look for secrets in a tree's 10,000 strings.
import '../scripts/node-version.mjs';
import { parseArgs } from 'node:util';

const { build, isBuilt } = await import('../scripts/build.mjs');
const { giveUp } = await import('../scripts/run.mjs');
const { median } = await import('./numbers.mjs');
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
const { TaintTracker } = await import('../dist/secrets/index.js');

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const ROUNDS = Number(values.rounds);
const STRINGS = 10_000;

const SECRETS = [
  'hunter2 is not enough',
  'C0rrect-Horse"Battery%Staple é',
  '493827165012',
  'kZ8-qT41',
  'a64CharacterTokenThatSomeServiceGaveOutAndNoOneCanRememberIt_0123',
];
const ENGLISH = ['Save as…', 'Total', 'Row', 'Password', 'Options & settings', 'Zoom 50%', 'Open file', 'notes.txt'];
const OTHERS = ['Übernehmen', 'Größe ändern', '保存', 'ファイルを開く', 'Сохранить', 'Löschen'];

/** Like names on a screen: short, and hardly two the same. */
function strings(words) {
  return Array.from(
    { length: STRINGS },
    (_, at) => `${words[at % words.length]} ${at} ${words[(at * 7) % words.length]}`,
  );
}

function cost(taint, texts, where) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    for (const text of texts) taint.redactText(text, where);
    times.push(process.cpuUsage(started).user / 1_000);
  }
  return median(times);
}

const five = new TaintTracker();
SECRETS.forEach((value, at) => five.typed({ name: `s${at}`, value, window: 'w1', field: `f${at}` }));
const letters = new TaintTracker();
SECRETS.filter((value) => !/^\d+$/.test(value)).forEach((value, at) =>
  letters.typed({ name: `s${at}`, value, window: 'w1', field: `f${at}` }),
);
const pin = new TaintTracker();
pin.typed({ name: 'pin', value: '4937', window: 'w1', field: 'f' });

const ROWS = [
  ['no secrets', new TaintTracker(), ENGLISH],
  ['five secrets', five, ENGLISH],
  ['five secrets, none of digits', letters, ENGLISH],
  ['five secrets, other scripts', five, OTHERS],
  ['a PIN, in its window', pin, ENGLISH, { window: 'w1' }],
  ['a PIN, in another window', pin, ENGLISH, { window: 'w2' }],
];
console.log(`${STRINGS} strings, processor time, median of ${ROUNDS}`);
for (const [name, taint, words, where] of ROWS) {
  console.log(`${name.padEnd(30)} ${cost(taint, strings(words), where).toFixed(2).padStart(7)} ms`);
}
