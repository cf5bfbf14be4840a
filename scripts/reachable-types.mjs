// Of all types only those that somebody who imports the package can reach: the rest would be downloaded for nothing.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const TYPES = '.d.ts';

/** The files in `folder` that these lead to, themselves included, by their paths in it. One that is not there is an error. */
export async function reachableTypes(folder, entries) {
  // Loaded here: who builds may have to install it first.
  const { default: ts } = await import('typescript');
  const found = new Map();
  const follow = (file, from) => {
    if (found.has(file)) return;
    const text = read(join(folder, file), `${file}, which the types in ${from} name`);
    found.set(file, text);
    const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true);
    for (const { fileName } of [...importedFiles, ...referencedFiles]) {
      if (!fileName.startsWith('.')) continue;
      const path = resolve(folder, dirname(file), fileName).replace(/\.js$/, TYPES);
      follow(relative(folder, path), file);
    }
  };
  for (const entry of entries) follow(entry, 'package.json');
  return found;
}

/**
 * Puts them beside the JavaScript in `dist`, and takes away all others there. They come from a folder of their own,
 * where tsc keeps all: it writes no file again that has not changed, also when something comes to need it.
 */
export async function publishTypes(from, dist, entries) {
  const reachable = await reachableTypes(from, entries);
  for (const [file, text] of reachable) {
    const place = join(dist, file);
    mkdirSync(dirname(place), { recursive: true });
    // Whole or not at all: somebody may read it at this moment.
    const fresh = `${place}.${process.pid}`;
    writeFileSync(fresh, INTERNAL.test(file) ? await withoutComments(text) : text);
    renameSync(fresh, place);
  }
  for (const file of typesIn(dist, from)) if (!reachable.has(file)) rmSync(join(dist, file));
}

/** Folders whose types a program can reach but never names itself: their comments would only make the package larger. */
const INTERNAL =
  /^(drivers|host|imaging|platform|secrets|selector|audit\/(write|verify)|runtime\/(?!act\/action|desktop\/event-log))/;

async function withoutComments(text) {
  const { default: ts } = await import('typescript');
  const source = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

function typesIn(dist, besides) {
  return readdirSync(dist, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(TYPES) && relative(besides, join(dist, file)).startsWith('..'));
}

function read(path, what) {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`there is no ${what}`, { cause });
  }
}
