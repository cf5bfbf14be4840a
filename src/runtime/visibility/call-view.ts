import type { Driver, FoundApp } from '../../drivers/contract/index.js';
import { type Deadline, inherit, WHOLE } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import type { Desktop, WindowList } from '../desktop/desktop.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import { backgroundTabsOf, withoutHiddenTabs } from './hidden-tabs.js';

/** What one call may know besides the windows that it is shown. */
export interface CallView {
  /** Whether it may hear of this. */
  hears(event: DesktopEvent): boolean;
  /** Whether it may be told of this window, which may be gone. What nobody knows any more may have been any. */
  shows(window: WindowInfo | undefined): boolean;
  /** Whether a person has said yes to what this rule asks about. */
  agreed(rule: string, window?: string): boolean;
  /**
   * What a person has to say yes to before anything of what is found is told: the question of an act that stands for the
   * one of the look. It is gone once they have.
   */
  pendingReadApproval?: PolicyDecision | undefined;
}

/** The same desktop, for one call, without the windows that it may not see. */
export function createCallView(
  desktop: Desktop,
  sees: (window: WindowInfo, owner: WindowInfo) => boolean,
  agreed: CallView['agreed'],
  /** Ids of those that nobody from the caller's project may know of. */
  unseen: (windows: readonly WindowInfo[]) => ReadonlySet<string> = () => new Set(),
  /** As they were listed just now. */
  first?: WindowList,
): Desktop {
  let withheld = new Map<string, WindowInfo>();
  let shown = new Map<string, WindowInfo>();
  /** How often something that was shown was withheld later. */
  let turned = 0;
  const without = (list: WindowList): WindowList => {
    const among = (ref: string): WindowInfo | undefined => list.windows.find((window) => window.ref === ref);
    const hidden = unseen(list.windows);
    withheld = byId(list.windows.filter((window) => hidden.has(window.id) || !sees(window, ownerOf(window, among))));
    turned += [...withheld.keys()].filter((id) => shown.has(id)).length;
    shown = byId(list.windows.filter(({ id }) => !withheld.has(id)));
    const hiddenByPolicy = (list.hiddenByPolicy ?? 0) + withheld.size;
    return { ...list, windows: [...shown.values()], ...(hiddenByPolicy > 0 && { hiddenByPolicy }) };
  };
  const listWindows = async (deadline: Deadline): Promise<WindowList> => without(await desktop.listWindows(deadline));
  // Who hears of events without a look must know which windows there are.
  if (first) without(first);
  const hears = (event: DesktopEvent): boolean => {
    const { window: words, app = '', element } = event;
    if (backgroundTabsOf(event).some((title) => desktop.blocks(title))) return false;
    // Of an element it must be known where it is.
    if (!words && app === '') return element === undefined;
    if ([...withheld.values()].some(({ ref }) => ref === words?.ref)) return false;
    // In the words of that moment: it may have had another title then.
    const known = words && desktop.lastKnown(words.ref);
    const then = { ...GONE, ...known, [WHOLE]: undefined, title: words?.title ?? '', app: words?.app ?? app };
    return sees(
      then,
      ownerOf(then, (ref) => desktop.lastKnown(ref)),
    );
  };
  const shows = (window: WindowInfo | undefined): boolean =>
    window !== undefined &&
    !withheld.has(window.id) &&
    sees(
      window,
      ownerOf(window, (ref) => desktop.lastKnown(ref)),
    );
  const { hiddenWindows } = desktop;
  const own = {
    hidesApp: (app: FoundApp) =>
      hiddenWindows.hidesApp(app) || [...withheld.values()].some(({ pid }) => pid === app.pid),
    hides: (id: string) => hiddenWindows.hides(id) || withheld.has(id),
    hidesProcess: (pid: number) =>
      hiddenWindows.hidesProcess(pid) || [...withheld.values()].some((one) => one.pid === pid),
    get count() {
      return hiddenWindows.count + withheld.size;
    },
    get hidesActive() {
      return hiddenWindows.hidesActive || [...withheld.values()].some(({ active }) => active);
    },
    get hidesMenu() {
      return hiddenWindows.hidesMenu || [...withheld.values()].some(({ menu, visible }) => menu && visible);
    },
    get boxes() {
      const places = [...withheld.values()].filter(({ visible, minimised }) => visible && !minimised);
      return [...hiddenWindows.boxes, ...places.flatMap(({ bounds }) => (bounds ? [bounds] : []))];
    },
    get revision() {
      return hiddenWindows.revision + turned;
    },
  };
  return inherit(desktop, {
    listWindows,
    hiddenWindows: inherit(hiddenWindows, own),
    view: { hears, shows, agreed } satisfies CallView,
  });
}

/** Of a window that is no more: what the event says of it is all that is known. */
const GONE: WindowInfo = {
  ...{ ref: '', id: '', role: 'window', title: '', app: '' },
  ...{ visible: false, minimised: false, maximised: false, active: false },
};

const byId = (windows: readonly WindowInfo[]): Map<string, WindowInfo> =>
  new Map(windows.map((window) => [window.id, window]));

/** Windows could belong to each other in a ring. */
const DEEPEST = 32;

/** The window that a dialog or a menu belongs to; itself when it is its own. */
function ownerOf(window: WindowInfo, find: (ref: string) => WindowInfo | undefined): WindowInfo {
  let owner = window;
  for (let steps = 0; steps < DEEPEST; steps++) {
    const next = find(owner.of ?? '');
    if (!next) break;
    owner = next;
  }
  return owner;
}

/** The desktop as the rules of the caller's own project leave it. */
export function withProjectPolicy(desktop: Desktop, directory: string | undefined): Desktop {
  const authorizer = desktop.authorizer.within(directory);
  if (authorizer === desktop.authorizer) return desktop;
  const hides = (title: string): boolean => authorizer.rules.windows?.blocks(title) ?? false;
  return inherit(desktop, { authorizer, driver: withoutTabs(desktop.driver, hides) });
}

/** What the desktop's own rules hide in tabs is left out below. */
function withoutTabs(driver: Driver, hides: (title: string) => boolean): Driver {
  return inherit(driver, {
    read: async (scope, options) => {
      const answer = await driver.read(scope, options);
      return { ...answer, root: withoutHiddenTabs(answer.root, hides) };
    },
  });
}
