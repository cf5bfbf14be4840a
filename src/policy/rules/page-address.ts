import { cleanName, matchesPieces } from '../../shared/index.js';
import type { App } from '../facts.js';
import { BUILT_IN } from '../file/built-in.js';
import { compileProgram, namesOf } from '../risk/program-class.js';
import { compileGlob, foldText } from './glob.js';

/** `null`: there is a page, and its address is not known. */
export type PageAddress = string | null;

/** Longer addresses are not compared. */
const MAX_ADDRESS = 4_096;
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
/** Browsers never report these in an address. Parsers drop some of them, so that another host could be read. */
const UNSAFE_CHARACTER = /[\s\\\p{Cc}]/u;
/** A server may decode these and leave the folder that the pattern names. */
const HIDDEN_STEP = /%(?:2e|2f|5c|00)/i;

/** An address of a web page that can be compared; undefined for every other text. */
function parseAddress(text: string): URL | undefined {
  if (text.length > MAX_ADDRESS || UNSAFE_CHARACTER.test(text)) return undefined;
  const url = parseUrl(text);
  // Not `url.username`: the parser drops an empty one, as in `https://@host/`.
  const authority = /^[^:]*:\/*([^/?#]*)/.exec(text)?.[1] ?? '';
  return url && WEB_SCHEMES.has(url.protocol) && !authority.includes('@') ? url : undefined;
}

/** Not `URL.canParse`: in Node 20.20.2 it returns false for `https://müller.example/` after about 2,000 calls. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Why a text cannot be an address in `into`; undefined if it can. Only the path may contain `*`. */
export function pagePatternFault(pattern: string): string | undefined {
  const parts = /^(https?):\/\/([^/?#]+)(\/[^?#]*)?$/i.exec(pattern);
  if (!parts) return 'must be an http or https address without query, such as https://bank.example/login/*';
  const [, , host, path = '/'] = parts as unknown as [string, string, string, string?];
  if (host.includes('*')) return 'may contain * only in the path: scheme, host and port must be exact';
  const url = parseAddress(pattern);
  if (!url) return 'is not an address that a page can have';
  if (url.hostname.endsWith('.')) return 'must name the host without a dot at its end';
  if (url.pathname !== path || HIDDEN_STEP.test(path)) return 'must have a path without dots, as a browser shows it';
  return undefined;
}

/**
 * Scheme, host and port must be equal, as WHATWG URL reads them: default ports, case and punycode are unified. The path
 * is compared with its case; `*` matches any characters. Query and fragment are not compared.
 */
export function compilePage(pattern: string): (address: PageAddress) => boolean {
  if (pagePatternFault(pattern) !== undefined) return () => false;
  const wanted = new URL(pattern);
  const pieces = wanted.pathname.split('*');
  const wholeHost = wanted.pathname === '/*';
  return (address) => {
    const url = address === null ? undefined : parseAddress(address);
    if (url?.protocol !== wanted.protocol || url.host !== wanted.host) return false;
    return wholeHost || (!HIDDEN_STEP.test(url.pathname) && matchesPieces(url.pathname, pieces));
  };
}

const MAX_SHOWN = 120;

/** For people: without query and fragment, which may contain secrets, and without the content of `data:`. */
export function describePage(address: PageAddress): string {
  if (address === null) return 'a page without a known address';
  const url = parseAddress(address);
  if (url) return cleanName(`${url.origin}${url.pathname}`, MAX_SHOWN).text;
  const scheme = /^[a-z][a-z0-9+.-]{0,20}:/i.exec(address)?.[0];
  return scheme === undefined || WEB_SCHEMES.has(scheme.toLowerCase()) ? 'an unusual address' : `${scheme} address`;
}

const BROWSERS = BUILT_IN.browsers.map(compileProgram);

/** Its windows show pages of others. */
export function isBrowser(app: App): boolean {
  const names = namesOf(app);
  return BROWSERS.some((glob) => glob(names));
}

/** Where browsers are installed, to see whether a pattern can match one. */
const FOLDERS = ['/usr/bin', '/usr/lib', '/opt', '/snap/bin', '/usr/local/bin', '/app/bin'];
const EXAMPLES = BUILT_IN.browserExamples.flatMap((name) => [
  ...FOLDERS.flatMap((folder) => [`${folder}/${name}`, `${folder}/${name}/${name}`]),
]);

/** Whether a glob on the path of a program can match a browser. */
export function mayMatchBrowser(pattern: string): boolean {
  const glob = compileGlob(pattern);
  return EXAMPLES.some((path) => glob(foldText(path))) || isBrowser({ path: pattern });
}
