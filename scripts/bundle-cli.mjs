// The command line as one file instead of some hundreds: a command is a process, and most of its time was loading.
import { renameSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** From what tsc wrote to dist/, into a file beside its main.js. */
export async function bundleCli(dist, program) {
  // Loaded here: who builds may have to install it first.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(dist, 'surfaces/cli/main.js'),
    platform: 'node',
    // Our files and our packages do nothing by being loaded, so what is not used of them can stay out.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
    plugins: [leftWhereItIs(dist), writtenDown(dist), inItsPlace(dist, dirname(program))],
    logLevel: 'warn',
  });
  try {
    // Whole or not at all: somebody may start it at this moment.
    const fresh = `${program}.${process.pid}`;
    await bundle.write({ file: fresh, format: 'esm' });
    renameSync(fresh, program);
  } finally {
    await bundle.close();
  }
}

/**
 * What is loaded only when it is wanted (the demo, schemas, the driver) stays a file of dist/ as it is; and so does
 * the error class, of which there must be one only for both to know each other's errors.
 */
function leftWhereItIs(dist) {
  const errors = join(dist, 'shared/errors.js');
  const wanted = new Set();
  const taken = new Set();
  return {
    name: 'left-where-it-is',
    resolveId(source, importer, { kind }) {
      if (!importer || !source.startsWith('.')) return null;
      const id = resolve(dirname(importer), source);
      if (id === errors) return { id, external: 'relative' };
      (kind === 'dynamic-import' ? wanted : taken).add(id);
      return kind === 'dynamic-import' ? { id, external: 'relative' } : null;
    },
    buildEnd() {
      // rolldown would let such an import() give nothing.
      const both = [...wanted].find((id) => taken.has(id));
      if (both) this.error(`${relative(dist, both)} is loaded by import() and also imported at once`);
    },
  };
}

/** What the module would compute each time is written down; with it go all the tools and their schemas. */
function writtenDown(dist) {
  const faces = join(dist, 'surfaces/cli/tool-faces.js');
  return {
    name: 'written-down',
    async load(id) {
      if (id !== faces) return null;
      const { TOOL_FACES } = await import(pathToFileURL(faces).href);
      return `export const TOOL_FACES = ${JSON.stringify(TOOL_FACES)};`;
    },
  };
}

/** Files find what lies beside them (package.json, the host's program) by their own address, and keep it. */
function inItsPlace(dist, folder) {
  return {
    name: 'in-its-place',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
      const own = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', own), map: null };
    },
  };
}
