import type { Deadline } from '../../../shared/index.js';
import { type Ancestor, readAncestors, staleRefError } from '../atspi/ancestors.js';
import { DOCUMENT, isString, readInterfaces, readStates } from '../atspi/accessible.js';
import type { AppCalls } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { readTopLevels } from '../atspi/top-level.js';
import { parseId } from './element.js';
import { withAppErrors } from './window-tree.js';

const DOCUMENT_FRAME = 82;
const DOCUMENT_WEB = 95;
const PAGE_ROLES: ReadonlySet<number> = new Set([DOCUMENT_FRAME, DOCUMENT_WEB]);

/**
 * The addresses of the web pages around an element, innermost first, `null` where a page has none. Measured with
 * Chromium 156 and Firefox ESR 153: a page that gives its body the role `application` no longer has the role of a
 * document, so the interface counts and not the role. Chromium offers the interface on every element, with the `URI` of
 * its page or an empty one in its own toolbars. Firefox offers it on documents only, with `DocURL`, and none for `data:`.
 * Its window is a document too (`chrome://browser/content/browser.xhtml`) and is no page.
 */
export async function readPages(apps: Apps, id: string, deadline: Deadline): Promise<(string | null)[]> {
  const target = parseId(id);
  const link = await apps.connectByBusName(target.address[0], deadline);
  // The documents of LibreOffice are its own.
  if (link.toolkit.name === 'libreoffice') return [];
  return withAppErrors(link, async () => {
    const calls = link.until(deadline);
    const [ancestors, topLevels, states] = await Promise.all([
      readAncestors(calls, target.address),
      readTopLevels(calls),
      readStates(calls, target.address[1]),
    ]);
    if (!states || states.has('defunct')) throw staleRefError();
    const [top, ...inside] = ancestors;
    const complete = topLevels.some(({ address }) => address[1] === top?.address[1]);
    const pages = await Promise.all(inside.map((ancestor) => readPage(calls, ancestor)));
    const around = pages.filter((page) => page !== undefined).reverse();
    const distinct = around.filter((page, at) => at === 0 || page !== around[at - 1]);
    // The chain of parents ends before the window: more pages may be around it.
    return complete ? distinct : [...distinct, null];
  });
}

/** The address of the page that an element is or is in; null if that is not known; undefined if it is no page. */
async function readPage(
  calls: AppCalls,
  { address: [, path], roleNumber }: Ancestor,
): Promise<string | null | undefined> {
  const [uri, docUrl, interfaces] = await Promise.all([
    readAddress(calls, path, 'URI'),
    readAddress(calls, path, 'DocURL'),
    readInterfaces(calls, path),
  ]);
  const address = uri || docUrl;
  if (address) return address;
  const isDocument = interfaces.has(DOCUMENT) && calls.app.toolkit.name !== 'chromium';
  return isDocument || PAGE_ROLES.has(roleNumber) ? null : undefined;
}

async function readAddress(calls: AppCalls, path: string, attribute: string): Promise<string | undefined> {
  const answer = await calls.maybe(calls.call(path, DOCUMENT, 'GetAttributeValue', 's', [attribute]));
  return calls.understood(answer?.[0], isString);
}
