import { WHOLE, type Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { Desktop, WindowList } from '../desktop.js';
import type { Happening } from '../event-log.js';

/** What one call may know besides the windows that it is shown. */
export interface Sight {
  /** Whether it may hear of this. */
  hears(happening: Happening): boolean;
  /** Whether a person has said yes to what this rule asks about. */
  agreed(rule: string, window?: string): boolean;
}

/** The same desktop, for one call, without the windows that it may not see. */
export function narrowed(
  desktop: Desktop,
  sees: (window: WindowInfo, owner: WindowInfo) => boolean,
  agreed: Sight['agreed'],
  /** As they were listed just now. */
  first?: WindowList,
): Desktop {
  let withheld = new Map<string, WindowInfo>();
  let shown = new Map<string, WindowInfo>();
  /** How often something that was shown was withheld later. */
  let turned = 0;
  const without = (list: WindowList): WindowList => {
    withheld = byId(list.windows.filter((window) => !sees(window, ownerOf(window, list.windows))));
    turned += [...withheld.keys()].filter((id) => shown.has(id)).length;
    shown = byId(list.windows.filter(({ id }) => !withheld.has(id)));
    const hiddenByPolicy = (list.hiddenByPolicy ?? 0) + withheld.size;
    return { ...list, windows: [...shown.values()], ...(hiddenByPolicy > 0 && { hiddenByPolicy }) };
  };
  const listWindows = async (deadline: Deadline): Promise<WindowList> => without(await desktop.listWindows(deadline));
  // Who hears of events without a look must know which windows there are.
  if (first) without(first);
  const hears = ({ window: words, app = '' }: Happening): boolean => {
    if (!words && app === '') return true;
    if ([...withheld.values()].some(({ ref }) => ref === words?.ref)) return false;
    // In the words of that moment: it may have had another title then.
    const now = [...shown.values()].find(({ ref }) => ref === words?.ref);
    const then = { ...GONE, ...now, [WHOLE]: undefined, title: words?.title ?? '', app: words?.app ?? app };
    return sees(then, then);
  };
  const { veil } = desktop;
  const own = {
    hides: (id: string) => veil.hides(id) || withheld.has(id),
    get count() {
      return veil.count + withheld.size;
    },
    get hidesActive() {
      return veil.hidesActive || [...withheld.values()].some(({ active }) => active);
    },
    get boxes() {
      const places = [...withheld.values()].filter(({ visible, minimised }) => visible && !minimised);
      return [...veil.boxes, ...places.flatMap(({ bounds }) => (bounds ? [bounds] : []))];
    },
    get state() {
      return veil.state + turned;
    },
  };
  return derived(desktop, { listWindows, veil: derived(veil, own), sight: { hears, agreed } });
}

/** Of a window that is no more: what the event says of it is all that is known. */
const GONE: WindowInfo = {
  ...{ ref: '', id: '', role: 'window', title: '', app: '' },
  ...{ visible: false, minimised: false, maximised: false, active: false },
};

const byId = (windows: readonly WindowInfo[]): Map<string, WindowInfo> =>
  new Map(windows.map((window) => [window.id, window]));

/** The window that a dialog or a menu belongs to; itself when it is its own. */
function ownerOf(window: WindowInfo, all: readonly WindowInfo[]): WindowInfo {
  let owner = window;
  for (let steps = 0; steps < all.length; steps++) {
    const next = all.find(({ ref }) => ref === owner.of);
    if (!next) break;
    owner = next;
  }
  return owner;
}

/** Everything that it does not say for itself is the other's, as it is at that moment. */
function derived<T extends object>(of: T, own: Partial<T>): T {
  return Object.create(of, Object.getOwnPropertyDescriptors(own)) as T;
}
