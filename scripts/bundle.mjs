// What is started often, as one file instead of some hundreds: most of its time was loading.
import { renameSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Computed by the module each time, or written down once; with it go all the tools and their schemas. */
const MANIFESTS = ['surfaces/cli/tools/tool-manifest.js', 'surfaces/mcp/tool-manifest.js'];
/** Packages of ours that are no smaller in a bundle than beside it, and load as fast. */
const BESIDE = ['yaml'];
/** A validator that the SDK loads and we give it no use for (see mcp-server.ts): as large as all else of it. */
const UNUSED = '/sdk/dist/esm/validation/ajv-provider.js';

/** From what tsc wrote to dist/, beginning at `input`, into one file `program`. */
export async function bundle(dist, input, program) {
  // Loaded here: who builds may have to install it first.
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input,
    platform: 'node',
    external: BESIDE,
    // Our files and our packages do nothing by being loaded, so what is not used of them can stay out.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
    plugins: [
      leftWhereItIs(dist, dirname(program)),
      writtenDown(dist),
      listsAtOnce(dist),
      inItsPlace(dist, dirname(program)),
    ],
    logLevel: 'warn',
    checks: { pluginTimings: false },
  });
  try {
    // Whole or not at all: somebody may start it at this moment.
    const fresh = `${program}.${process.pid}`;
    // Blanks and comments are a third of it, and every start reads it whole.
    const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
    await made.write({ file: fresh, format: 'esm', minify });
    renameSync(fresh, program);
  } finally {
    await made.close();
  }
}
/**
 * What is loaded only when it is wanted (the demo, schemas, the driver) stays a file of dist/ as it is; and so does
 * the error class, of which there must be one only for both to know each other's errors.
 */
function leftWhereItIs(dist, folder) {
  const errors = join(dist, 'shared/errors.js');
  const wanted = new Set();
  const taken = new Set();
  const stays = (id) => ({ id: seenFrom(folder, id), external: 'absolute' });
  return {
    name: 'left-where-it-is',
    resolveId(source, importer, { kind }) {
      if (!importer?.startsWith(dist) || !source.startsWith('.')) return null;
      const id = resolve(dirname(importer), source);
      if (id === errors) return stays(id);
      (kind === 'dynamic-import' ? wanted : taken).add(id);
      return kind === 'dynamic-import' ? stays(id) : null;
    },
    buildEnd() {
      // rolldown would let such an import() give nothing.
      const both = [...wanted].find((id) => taken.has(id));
      if (both) this.error(`${relative(dist, both)} is loaded by import() and also imported at once`);
    },
  };
}

function writtenDown(dist) {
  const manifests = MANIFESTS.map((file) => join(dist, file));
  return {
    name: 'written-down',
    async load(id) {
      if (!manifests.includes(id)) return null;
      const { TOOL_MANIFEST } = await import(pathToFileURL(id).href);
      return `export const TOOL_MANIFEST = ${JSON.stringify(TOOL_MANIFEST)};`;
    },
  };
}

/** A server lists its tools right away, so what says which may be listed is in it; what it does not use is not. */
function listsAtOnce(dist) {
  const later = join(dist, 'host/governance/permitted-tools-lazy.js');
  return {
    name: 'lists-at-once',
    load(id) {
      if (id === later) return `export { toolsPermittedByFiles } from './permitted-tools.js';`;
      return id.endsWith(UNUSED) ? 'export class AjvJsonSchemaValidator {}' : null;
    },
  };
}

const seenFrom = (folder, id) => {
  const path = relative(folder, id);
  return path.startsWith('.') ? path : `./${path}`;
};

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
