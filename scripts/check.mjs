// npm run check: everything that needs no desktop. One line a part; a part that fails says why.
import { availableParallelism } from 'node:os';
import { bin, capture } from './run.mjs';

const PARTS = [
  { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.check.json'] },
  { name: 'lint', command: bin('eslint'), args: ['.', '--cache', '--cache-location', 'node_modules/.cache/eslint'] },
  { name: 'tests', command: bin('vitest'), args: ['run', '--project', 'fast', '--reporter', 'dot'] },
  { name: 'rooms', command: bin('depcruise'), args: ['src', '--config', '.dependency-cruiser.cjs'] },
  { name: 'format', command: bin('prettier'), args: ['--check', '.', '--cache', '--log-level', 'warn'] },
  { name: 'sizes', command: process.execPath, args: ['scripts/sizes.mjs'] },
];

/** How many parts passed and failed. */
export async function check({ tests }) {
  const waiting = PARTS.filter((part) => tests || part.name !== 'tests');
  const result = { passed: 0, failed: 0 };
  const next = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await capture(part.command, part.args, { env: { ...process.env, NO_COLOR: '1' } });
      result[code === 0 ? 'passed' : 'failed']++;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(
        `${code === 0 ? 'ok    ' : 'FAILED'} ${part.name.padEnd(8)} ${seconds.padStart(5)} s  ${lastLine(part, output)}`,
      );
      if (code !== 0) console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, next));
  return result;
}

/** What a part has to say when it passes. */
function lastLine(part, output) {
  if (part.name === 'sizes') return output.trim().split('\n').at(-1);
  return part.name === 'tests' ? (/^\s*Tests\s+(.*)$/m.exec(output)?.[1] ?? '') : '';
}

if (process.argv[1] === import.meta.filename) {
  const { failed } = await check({ tests: true });
  process.exit(failed > 0 ? 1 : 0);
}
