// npm run check: everything that needs no desktop. One line a part; a part that fails says why.
import { availableParallelism, setPriority } from 'node:os';
import { bin, capture } from './run.mjs';

export const PARTS = [
  { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.check.json'] },
  { name: 'lint', command: bin('eslint'), args: ['.', '--cache', '--cache-location', 'node_modules/.cache/eslint'] },
  { name: 'tests', command: bin('vitest'), args: ['run', '--project', 'fast', '--reporter', 'dot'] },
  { name: 'rooms', command: bin('depcruise'), args: ['src', '--config', '.dependency-cruiser.cjs'] },
  { name: 'format', command: bin('prettier'), args: ['--check', '.', '--cache', '--log-level', 'warn'] },
  { name: 'sizes', command: process.execPath, args: ['scripts/sizes.mjs'] },
  { name: 'phrases', command: process.execPath, args: ['scripts/house/phrases.mjs'] },
  { name: 'exports', command: process.execPath, args: ['scripts/house/unused-exports.mjs'] },
  { name: 'commits', command: process.execPath, args: ['scripts/house/commit-titles.mjs'] },
];

const LAST_IN_LINE = 19;

/** How many parts passed and failed. `aside`: on what other work leaves of the processor. */
export async function check({ tests, aside = false, signal, say = console.log }) {
  const waiting = PARTS.filter((part) => tests || part.name !== 'tests');
  const result = { passed: 0, failed: 0 };
  const next = async () => {
    for (let part = waiting.shift(); part && !signal?.aborted; part = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await capture(part.command, part.args, {
        env: { ...process.env, NO_COLOR: '1' },
        signal,
        begun: (pid) => aside && setPriority(pid, LAST_IN_LINE),
      });
      result[code === 0 ? 'passed' : 'failed']++;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      say(
        `${code === 0 ? 'ok    ' : 'FAILED'} ${part.name.padEnd(8)} ${seconds.padStart(5)} s  ${lastLine(part, output)}`,
      );
      if (code !== 0) say(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, next));
  return result;
}

/** What a part has to say when it passes. */
function lastLine(part, output) {
  if (part.name === 'tests') return /^\s*Tests\s+(.*)$/m.exec(output)?.[1] ?? '';
  return part.command === process.execPath ? output.trim().split('\n').at(-1) : '';
}

if (process.argv[1] === import.meta.filename) {
  const { failed } = await check({ tests: true });
  process.exit(failed > 0 ? 1 : 0);
}
