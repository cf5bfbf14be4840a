// Findings that are known and still to be fixed, as a count per file. A count may only shrink.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Compares findings (`{ file, line, text }`) with the counts in a JSON file. Fails for a file with more findings than
 * its count; asks for `--update` when a count is too high. `update` writes today's counts, as long as the sum does not
 * grow: a file that moved takes its count along.
 */
export function compare({ findings, baseline, update = false, command }) {
  const allowed = existsSync(baseline) ? JSON.parse(readFileSync(baseline, 'utf8')) : {};
  const counts = {};
  for (const { file } of findings) counts[file] = (counts[file] ?? 0) + 1;
  const before = sum(allowed);
  const now = sum(counts);
  const grown = Object.keys(counts).filter((file) => counts[file] > (allowed[file] ?? 0));
  const shrunk = Object.keys(allowed).filter((file) => (counts[file] ?? 0) < allowed[file]);

  if (update && (now <= before || !existsSync(baseline))) {
    const sorted = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(baseline, `${JSON.stringify(sorted, null, 2)}\n`);
    return { problems: [], note: `baseline written: ${now} known findings` };
  }
  const problems = findings
    .filter(({ file }) => grown.includes(file))
    .map(({ file, line, text }) => `${file}:${line} ${text}`);
  for (const file of grown) {
    if (allowed[file]) problems.push(`${file} has ${counts[file]} findings, the baseline allows ${allowed[file]}`);
  }
  const lower = shrunk.length > 0 ? `; ${shrunk.length} files improved, lower the baseline: ${command} --update` : '';
  return { problems, note: `${now} known findings left${lower}` };
}

function sum(counts) {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
