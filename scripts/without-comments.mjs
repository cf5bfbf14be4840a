// Comments are for readers of src/, and a fifth of what would be downloaded.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Takes them out of JavaScript files, and leaves alone what has none. */
export async function withoutComments(files) {
  const { minify } = await import('rolldown/utils');
  const options = { compress: false, mangle: false, codegen: { removeWhitespace: false, legalComments: 'none' } };
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const { code, errors } = await minify(file, text, options);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    if (code === text) continue;
    // Whole or not at all: somebody may load it at this moment.
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, code);
    renameSync(fresh, file);
  }
}
