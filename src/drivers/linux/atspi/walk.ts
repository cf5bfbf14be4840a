import {
  type Box,
  INTERACTIVE_ROLES,
  isSecretField,
  ITEM_ROLES,
  type Node,
  type Point,
  type Role,
  roleFromAtspi,
  TEXT_FIELD_ROLES,
} from '../../../tree/index.js';
import type { ReadOptions } from '../../contract/index.js';
import {
  ACCESSIBLE,
  type Address,
  descend,
  type Descent,
  idOf,
  MAX_DEPTH,
  readChildCount,
  readChildren,
  readExtents,
  readRole,
  readStates,
  readString,
} from './accessible.js';
import { type AppCalls, isLate } from './app-connection.js';
import { childPlace, type Place, seenPart } from './bounds.js';
import { childrenOf } from './children.js';
import { readDetail, readLevel } from './detail.js';
import {
  errorMessage,
  honestName,
  type LabelName,
  nameFromLabel,
  nameFromTooltip,
  nameOfField,
  refineRole,
  roleOfClass,
} from './names.js';
import { type StateSet, statesOf } from './states.js';
import { linkInText, readFieldText, readInputLine } from './text.js';
import type { Toolkit } from './toolkit.js';
import { type FieldValue, readValue } from './values.js';

export type WalkOptions = Pick<ReadOptions, 'full' | 'depth' | 'detail' | 'onProgress'> & {
  maxNodes: number;
  /** When the time is up, what was read by then is the answer. */
  partial?: boolean;
};

/** What a child needs to know of what is above it. */
export interface Above {
  place: Place;
  enabled: boolean;
  role: Role;
  /** Levels that may still be read. */
  depth: number;
  /** The elements above it; absent where reading begins. */
  descent?: Descent;
  /** The parent's name was made of this only child's text: no need to read it twice. */
  saysIt?: boolean;
  /** Asked for by name: read whether or not it is on the screen. */
  wanted?: boolean;
  /** Name of the box around it that LibreOffice gives a name in place of the field in it. */
  named?: string;
}

const NOTHING: FieldValue = {};
const STATIC = 116;
const PASSWORD = 40;
/** GTK 3 says of a viewport that is scrolled far enough that it is nowhere, though its content shows. */
const VIEWPORT = 68;
const SKIPPED: ReadonlySet<Role> = new Set(['scrollbar', 'separator']);
const FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox', 'spinbutton', 'slider', 'combobox']);
const TABS_HOLD_PAGES: ReadonlySet<string> = new Set(['gtk3', 'libreoffice']);
const SCROLLED: ReadonlySet<Role> = new Set(['listitem', 'treeitem', 'cell']);
const TEXT_ONLY: ReadonlySet<Role> = new Set(['label', 'text', 'heading']);

/** Reads a part of an app's tree. Calls are sent as soon as they can be; what is not on screen costs one call. */
export class Walk {
  count = 0;

  constructor(
    readonly calls: AppCalls,
    readonly options: WalkOptions,
    readonly missing = new Shortfall(options.partial === true),
  ) {}

  /** Another walk of the same app under other options; its elements are not counted here. */
  fork(options: Partial<WalkOptions>): Walk {
    return new Walk(this.calls, { ...this.options, ...options }, this.missing);
  }

  async element(address: Address, above: Above): Promise<Node | undefined> {
    const { calls, options } = this;
    const { toolkit } = calls.app;
    const path = address[1];
    const descent = descend(above.descent, path);
    if (typeof descent === 'string') {
      this.missing[descent] = true;
      return undefined;
    }
    const byGeometry = toolkit.showingBy === 'geometry';
    const [bits, roleNumber, early] = await Promise.all([
      readStates(calls, path),
      readRole(calls, path),
      byGeometry ? readExtents(calls, path) : undefined,
    ]);
    if (!bits || bits.has('defunct')) {
      const line = bits && toolkit.name === 'libreoffice' ? await readInputLine(this, address, above) : undefined;
      if (!line) this.missing.vanished++;
      return line;
    }
    const mapped = roleFromAtspi(roleNumber);
    if (above.saysIt && roleNumber === STATIC && !options.full) return undefined;
    const forced = options.full || above.wanted;
    // A notebook without a tab strip hides its tabs, not what is on them.
    const showing = mayShow(bits, byGeometry) || (roleNumber === VIEWPORT && bits.has('visible'));
    const tabless = mapped === 'tab' && !showing && TABS_HOLD_PAGES.has(toolkit.name);
    if (!forced && (SKIPPED.has(mapped) || (!showing && !tabless))) return undefined;
    if (tabless && !forced) return this.pageOf(address, { ...above, descent });
    // Counted at once: many are under way together, and the limit must hold for all of them.
    if (this.count >= options.maxNodes) return undefined;
    this.count++;

    const [ownName, childCount, ownExtents] = await Promise.all([
      readString(calls, path, ACCESSIBLE, 'Name'),
      roleNumber === STATIC ? 0 : readChildCount(calls, path),
      byGeometry ? early : readExtents(calls, path),
    ]);
    const letters = toolkit.name === 'gtk3' && mapped === 'link' && !ownExtents && (await linkInText(calls, path));
    const { words: rawName, box: extents } = letters || { words: ownName, box: ownExtents };
    const place = childPlace(toolkit, above.place, roleNumber, extents);
    const seen = seenPart(place);
    if (!forced && !seen && hidesChildren(toolkit, place)) {
      this.count--;
      return undefined;
    }
    if (this.count % 100 === 0) options.onProgress?.(this.count);

    const name = honestName(rawName, roleNumber, toolkit);
    const ofClass = toolkit.classNamesAsNames ? roleOfClass(mapped, rawName) : mapped;
    const role = refineRole(ofClass, above.role, name.text, childCount);
    const states = statesOf(bits, role, toolkit, above.enabled);
    // Qt calls an item hidden that is only scrolled out; one that is hidden has no size.
    if (toolkit.name === 'qt' && SCROLLED.has(role) && extents && !isEmpty(extents)) states.visible = true;
    if (forced && (!showing || (extents && !seen))) states.offscreen = true;
    // GTK 4 says no size of rows that it never drew, and a place that is not theirs.
    const box = seen ?? (byGeometry && isEmpty(place.whole) ? undefined : place.whole);
    const node: Node = {
      id: idOf(address),
      role,
      ...(name.text !== '' && { name: name.text }),
      ...(name.dropped > 0 && { cleaned: name.dropped }),
      ...(box && { bounds: box }),
      ...(role === 'spinbutton' && seen && { clickPoint: besideButtons(seen) }),
      states,
      patterns: [],
      platformIds: { atspiPath: path },
      children: [],
    };
    const { missing } = this;
    const label = await missing.orLate(this.nameOtherwise(path, node, above, childCount), 'late' as const);
    const secret = roleNumber === PASSWORD || isSecretField(node);
    if (secret) {
      states.secret = true;
      delete node.value;
      node.role = 'passwordbox';
    }
    // Without its label nobody knows whether what it holds is a secret.
    if (label === 'late') return childCount > 0 ? { ...node, unread: childCount } : node;
    const [value, error, detail, level, below] = await Promise.all([
      missing.orLate(readValue(calls, path, node, secret, options.detail === true), NOTHING),
      states.invalid ? missing.orLate(errorMessage(calls, path), undefined) : undefined,
      options.detail ? missing.orLate(readDetail(calls, path, node), undefined) : undefined,
      role === 'heading' && !options.detail ? missing.orLate(readLevel(calls, path), undefined) : undefined,
      missing.orLate(childrenOf(this, address, node, { count: childCount, bits, place, above, descent }), {
        unread: childCount,
      }),
    ]);
    const { filled, ...held } = value;
    Object.assign(node, held, detail, below);
    // While a page scrolls, Chromium tells of a row before it tells of its cells: which row it is nobody can say yet.
    if (isTorn(toolkit, node, childCount)) node.unread = childCount;
    if (level !== undefined) node.level = level;
    if (value.cleaned) node.cleaned = name.dropped + value.cleaned;
    if (filled !== undefined) states.filled = filled;
    if (error) node.error = error;
    if (label) Object.assign(node, { nameFrom: 'label', labelId: label.labelId });
    if (role === 'combobox' && toolkit.comboNameIsValue && !label) comboNameIsValue(node);
    if (node.name === undefined && !node.unread && !node.children.some(saysSomething)) {
      const words = await missing.orLate(nameFromTooltip(calls, path, node), undefined);
      if (words) node.name = words;
    }
    return node;
  }

  /** What is missing in a tree of so many elements, in words. */
  shortOf(elementsRead: number): string | undefined {
    const { maxNodes } = this.options;
    return this.missing.reason(elementsRead, this.calls.misunderstood, this.count >= maxNodes ? maxNodes : undefined);
  }

  /** A child of one that was read: when the time is up, it is left out. */
  child(address: Address, above: Above): Promise<Node | undefined> {
    return this.missing.orLate(this.element(address, above), undefined);
  }

  /** Names it by something else where it does not name itself; the label, if it was that. */
  private async nameOtherwise(
    path: string,
    node: Node,
    above: Above,
    childCount: number,
  ): Promise<LabelName | undefined> {
    const { role } = node;
    if (TEXT_ONLY.has(role) && node.name === undefined && childCount === 0) await this.nameFromText(path, node);
    const label = await this.labelFor(path, role, node);
    if (node.name === undefined && TEXT_FIELD_ROLES.has(role)) await this.nameField(path, node, above);
    return label;
  }

  /** LibreOffice's status bar and headings: without a name, but with text. */
  private async nameFromText(path: string, node: Node): Promise<void> {
    const text = (await readFieldText(this.calls, path, false))?.text.trim();
    if (text) node.name = text;
  }

  private async nameField(path: string, node: Node, { named }: Above): Promise<void> {
    const { toolkit } = this.calls.app;
    const words = (toolkit.name === 'libreoffice' && named) || (await nameOfField(this.calls, path));
    if (words) Object.assign(node, { name: words, ...(words !== named && { nameFrom: 'placeholder' }) });
  }

  private async pageOf(address: Address, above: Above): Promise<Node | undefined> {
    if ((await readChildCount(this.calls, address[1])) !== 1) return undefined;
    const [page] = await readChildren(this.calls, address[1]);
    return page && this.element(page, above);
  }

  /** GTK 3 and Qt leave a field's name empty and point at its label; a combo box there is named after its value. */
  private async labelFor(path: string, role: Role, node: Node): Promise<LabelName | undefined> {
    const { toolkit } = this.calls.app;
    if (!FIELDS.has(role) || toolkit.name === 'chromium') return undefined;
    if (node.name !== undefined && !(role === 'combobox' && toolkit.comboNameIsValue)) return undefined;
    const label = await nameFromLabel(this.calls, path);
    if (!label) return undefined;
    // Qt tells the value of a combo box in no other way.
    if (role === 'combobox' && toolkit.name === 'qt' && node.name !== undefined) node.value = node.name;
    node.name = label.name;
    return label;
  }
}

function isTorn({ name: toolkit }: Toolkit, { role, name, children }: Node, childCount: number): boolean {
  return (
    toolkit === 'chromium' && ITEM_ROLES.has(role) && name === undefined && childCount > 0 && children.length === 0
  );
}

function mayShow(bits: StateSet, byGeometry: boolean): boolean {
  return bits.has(byGeometry ? 'visible' : 'showing');
}

/**
 * Nothing of it can be seen: does that hold for its children too? Not without a place of its own (the tab of a notebook
 * without a tab strip), and not for a web page's boxes, which may have no height and still hold what is seen.
 */
function hidesChildren(toolkit: Toolkit, { whole }: Place): boolean {
  if (!whole) return toolkit.showingBy === 'geometry';
  return toolkit.name !== 'chromium' || (whole.width > 0 && whole.height > 0);
}

function isEmpty(box: Box | undefined): boolean {
  return box?.width === 0 && box.height === 0;
}

/** Words or a control inside: they say what it is, or are meant themselves. */
function saysSomething({ name, role, children }: Node): boolean {
  return name !== undefined || INTERACTIVE_ROLES.has(role) || children.some(saysSomething);
}

/** In the middle of a spin button may be one of the buttons that change it. */
function besideButtons({ x, y, width, height }: Box): Point {
  return { x: x + Math.round(Math.min(12, width / 4)), y: y + Math.round(height / 2) };
}

function comboNameIsValue(node: Node): void {
  if (node.name === undefined) return;
  // One with a field in it holds what is written there; called otherwise than that, it has a name.
  const field = node.children.find(({ role }) => TEXT_FIELD_ROLES.has(role));
  if (field && typeof field.value === 'string' && field.value !== node.name) {
    node.value = field.value;
    return;
  }
  node.value ??= node.name;
  if (node.value === node.name) delete node.name;
}

/** What a walk could not read, and why; shared by the walks that it is made of. */
export class Shortfall {
  /** Elements that went away while being read: normal, but worth a word when many. */
  vanished = 0;
  /** The caller's time was up before the end. */
  late = false;
  loop = false;
  'too deep' = false;

  constructor(
    /** Whether a part is of use to the caller; otherwise an end before the end is an error. */
    private readonly partial: boolean,
  ) {}

  /** What `work` gives, or `otherwise` when the time is up. */
  orLate<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
    return work.catch((error: unknown) => {
      if (!this.partial || !isLate(error)) throw error;
      this.late = true;
      return otherwise;
    });
  }

  /** In words; `limit` if that was reached, `misunderstood` answers that were of no use. */
  reason(elementsRead: number, misunderstood: number, limit?: number): string | undefined {
    if (this.late) return `the time was up; only the first ${elementsRead} elements were read`;
    if (limit !== undefined) return `only the first ${limit} elements were read`;
    if (this.loop) return 'the app lists an element among its own descendants; it is told once';
    if (this['too deep']) return `only the first ${MAX_DEPTH} levels were read`;
    if (misunderstood > 0)
      return `${misunderstood} ${misunderstood === 1 ? 'answer' : 'answers'} of the app could not be understood`;
    if (this.vanished > 20 && this.vanished > elementsRead / 4) return 'the window changed while it was read';
    return undefined;
  }
}
