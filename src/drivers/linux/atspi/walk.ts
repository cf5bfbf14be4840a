import {
  type Box,
  INTERACTIVE_ROLES,
  isSecretField,
  ITEM_ROLES,
  type Node,
  type Point,
  type Role,
  roleFromAtspi,
  takesTypedText,
  TEXT_FIELD_ROLES,
} from '../../../tree/index.js';
import type { ReadOptions } from '../../contract/index.js';
import {
  ACCESSIBLE,
  type Address,
  extendChain,
  type AncestorChain,
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
import { childPlace, type Place, visiblePart } from './bounds.js';
import { childrenOf } from './children.js';
import { hasSecretHint, readDetail, readLevel } from './detail.js';
import {
  errorMessage,
  usableName,
  type LabelName,
  nameFromLabel,
  nameFromTooltip,
  nameFromPlaceholder,
  refineRole,
  roleFromClassName,
} from './names.js';
import { type StateSet, statesOf } from './states.js';
import { readLinkInText, readFieldText, readInputLine } from './text.js';
import { isBrowser, type Toolkit } from './toolkit.js';
import { type FieldValue, readValue } from './values.js';

export type WalkOptions = Pick<ReadOptions, 'full' | 'depth' | 'detail' | 'onProgress'> & {
  maxNodes: number;
  /** At the deadline, return the part that was read. */
  partial?: boolean;
};

/** Context that an element inherits from its parent. */
export interface WalkContext {
  place: Place;
  enabled: boolean;
  role: Role;
  /** Levels that may still be read. */
  depth: number;
  /** The ancestors. Absent at the start of a read. */
  chain?: AncestorChain;
  /** The parent's name was made from the text of this only child, so the child is not read again. */
  repeatsParentName?: boolean;
  /** Requested explicitly: read even when it is off-screen. */
  requested?: boolean;
  /** Name of the box around it: LibreOffice names the box instead of the field in it. */
  boxName?: string;
}

const NO_VALUE: FieldValue = {};
const STATIC_TEXT = 116;
const PASSWORD = 40;
/** GTK 3 reports a viewport that is scrolled far enough as not showing, although its content shows. */
const VIEWPORT = 68;
const SKIPPED_ROLES: ReadonlySet<Role> = new Set(['scrollbar', 'separator']);
const FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox', 'spinbutton', 'slider', 'combobox']);
const VALUE_IS_NAME: ReadonlySet<string> = new Set(['qt', 'swing']);
const TABS_HOLD_PAGES: ReadonlySet<string> = new Set(['gtk3', 'libreoffice']);
const SCROLLED_ITEMS: ReadonlySet<Role> = new Set(['listitem', 'treeitem', 'cell']);
/** Boxes around other elements. Rows, items and documents (of a tab in the background) report what they contain. */
const LAYOUT_BOXES: ReadonlySet<Role> = new Set(['group', 'region', 'form', 'article', 'figure', 'statusbar', 'alert']);
const TEXT_ONLY: ReadonlySet<Role> = new Set(['label', 'text', 'heading']);
const ICON = 26;
const DRAWN_BOXES: ReadonlySet<Role> = new Set(['group', 'unknown']);
const MIN_DRAWN_BOX = 48;

/** Reads a part of an app's tree. Calls are sent as early as possible. An off-screen element costs one call. */
export class Walk {
  count = 0;

  constructor(
    readonly calls: AppCalls,
    readonly options: WalkOptions,
    readonly gaps = new ReadGaps(options.partial === true),
  ) {}

  /** Another walk of the same app with other options. Its elements are not counted here. */
  fork(options: Partial<WalkOptions>): Walk {
    return new Walk(this.calls, { ...this.options, ...options }, this.gaps);
  }

  async element(address: Address, context: WalkContext): Promise<Node | undefined> {
    const { calls, options } = this;
    const { toolkit } = calls.app;
    const path = address[1];
    const chain = extendChain(context.chain, path);
    if (typeof chain === 'string') {
      this.gaps[chain] = true;
      return undefined;
    }
    const byGeometry = toolkit.showingBy === 'geometry';
    const [bits, roleNumber, early] = await Promise.all([
      readStates(calls, path),
      readRole(calls, path),
      byGeometry ? readExtents(calls, path) : undefined,
    ]);
    if (!bits || bits.has('defunct')) {
      const line = bits && toolkit.name === 'libreoffice' ? await readInputLine(this, address, context) : undefined;
      if (!line) this.gaps.vanished++;
      return line;
    }
    const mapped = roleFromAtspi(roleNumber);
    if (context.repeatsParentName && roleNumber === STATIC_TEXT && !options.full) return undefined;
    const forced = options.full || context.requested;
    // A notebook without a tab strip hides its tabs, not their pages.
    const showing = mayShow(bits, byGeometry) || (roleNumber === VIEWPORT && bits.has('visible'));
    const isHiddenTab = mapped === 'tab' && !showing && TABS_HOLD_PAGES.has(toolkit.name);
    // Its children decide.
    const mayHoldShown = !showing && toolkit.hiddenBoxesMayShow && bits.has('visible') && LAYOUT_BOXES.has(mapped);
    if (!forced && (SKIPPED_ROLES.has(mapped) || (!showing && !isHiddenTab && !mayHoldShown))) return undefined;
    if (isHiddenTab && !forced) return this.readTabPage(address, { ...context, chain });
    // Counted immediately: many reads run concurrently, and the limit applies to all of them.
    if (this.count >= options.maxNodes) return undefined;
    this.count++;

    const [ownName, childCount, ownExtents] = await Promise.all([
      readString(calls, path, ACCESSIBLE, 'Name'),
      roleNumber === STATIC_TEXT ? 0 : readChildCount(calls, path),
      byGeometry ? early : readExtents(calls, path),
    ]);
    const link = toolkit.name === 'gtk3' && mapped === 'link' && !ownExtents && (await readLinkInText(calls, path));
    const { text: rawName, box: extents } = link || { text: ownName, box: ownExtents };
    const place = childPlace(toolkit, context.place, roleNumber, extents);
    const visible = visiblePart(place);
    if (!forced && !visible && (mayHoldShown || hidesChildren(toolkit, place))) {
      this.count--;
      return undefined;
    }
    if (this.count % 100 === 0) options.onProgress?.(this.count);

    const name = usableName(rawName, roleNumber, toolkit);
    const role = roleOf({ mapped, roleNumber, rawName, name: name.text, childCount, bits, extents }, context, toolkit);
    const states = statesOf(bits, role, toolkit, context.enabled);
    // Qt reports an item that is only scrolled out as hidden. A really hidden item has no size.
    if (toolkit.name === 'qt' && SCROLLED_ITEMS.has(role) && extents && !isEmpty(extents)) states.visible = true;
    if (forced && (!showing || (extents && !visible))) states.offscreen = true;
    // GTK 4 reports no size and a wrong position for rows that it never drew.
    const box = visible ?? (byGeometry && isEmpty(place.whole) ? undefined : place.whole);
    const node: Node = {
      id: idOf(address),
      role,
      ...(name.text !== '' && { name: name.text }),
      ...(name.dropped > 0 && { cleaned: name.dropped }),
      ...(box && { bounds: box }),
      ...(role === 'spinbutton' && visible && { clickPoint: pointBesideButtons(visible) }),
      states,
      patterns: [],
      platformIds: { atspiPath: path },
      children: [],
    };
    const { gaps } = this;
    const [label, hinted] = await gaps.orIfLate(
      Promise.all([
        this.resolveName(path, node, context, childCount),
        takesTypedText(node) && hasSecretHint(calls, path),
      ]),
      ['late' as const, false],
    );
    const secret = roleNumber === PASSWORD || hinted || isSecretField(node);
    if (secret) {
      states.secret = true;
      delete node.value;
      node.role = 'passwordbox';
    }
    // Without its label we cannot know whether the value is a secret.
    if (label === 'late') return childCount > 0 ? { ...node, unread: childCount } : node;
    const [value, error, detail, level, children] = await Promise.all([
      gaps.orIfLate(readValue(calls, path, node, secret, options.detail === true), NO_VALUE),
      states.invalid ? gaps.orIfLate(errorMessage(calls, path), undefined) : undefined,
      options.detail ? gaps.orIfLate(readDetail(calls, path, node), undefined) : undefined,
      role === 'heading' && !options.detail ? gaps.orIfLate(readLevel(calls, path), undefined) : undefined,
      gaps.orIfLate(childrenOf(this, address, node, { count: childCount, bits, place, parent: context, chain }), {
        unread: childCount,
      }),
    ]);
    if (mayHoldShown && !forced && !('children' in children && children.children.length > 0)) {
      this.count--;
      return undefined;
    }
    const { filled, ...held } = value;
    Object.assign(node, held, detail, children);
    // While a page scrolls, Chromium exposes a row before its cells. Until then the row cannot be identified.
    if (isPartlyReported(toolkit, node, childCount)) node.unread = childCount;
    if (level !== undefined) node.level = level;
    if (value.cleaned) node.cleaned = name.dropped + value.cleaned;
    if (filled !== undefined) states.filled = filled;
    if (error) node.error = error;
    if (label) Object.assign(node, { nameFrom: 'label', labelId: label.labelId });
    if (role === 'combobox' && toolkit.comboNameIsValue && !label) moveNameToValue(node);
    if (node.name === undefined && !node.unread && !node.children.some(hasNameOrControl)) {
      const text = await gaps.orIfLate(nameFromTooltip(calls, path, node), undefined);
      if (text) node.name = text;
    }
    return node;
  }

  /** Why a tree with this many elements is incomplete. */
  gapReason(elementsRead: number): string | undefined {
    const { maxNodes } = this.options;
    return this.gaps.reason(elementsRead, this.calls.invalidReplies, this.count >= maxNodes ? maxNodes : undefined);
  }

  /** Reads a child of an element that was read. Returns undefined at the deadline. */
  child(address: Address, context: WalkContext): Promise<Node | undefined> {
    return this.gaps.orIfLate(this.element(address, context), undefined);
  }

  /** Finds a name for an element that has none. Returns the label if the name comes from one. */
  private async resolveName(
    path: string,
    node: Node,
    context: WalkContext,
    childCount: number,
  ): Promise<LabelName | undefined> {
    const { role } = node;
    const isText = TEXT_ONLY.has(role) || (role === 'listitem' && childCount === 0);
    if (isText && node.name === undefined && childCount === 0) await this.nameFromText(path, node);
    const label = await this.readLabel(path, role, node);
    if (node.name === undefined && TEXT_FIELD_ROLES.has(role)) await this.nameTextField(path, node, context);
    return label;
  }

  /** LibreOffice's status bar and headings have text but no name. */
  private async nameFromText(path: string, node: Node): Promise<void> {
    const text = (await readFieldText(this.calls, path, false))?.text.trim();
    if (text) node.name = text;
  }

  private async nameTextField(path: string, node: Node, { boxName }: WalkContext): Promise<void> {
    const { toolkit } = this.calls.app;
    const text = (toolkit.name === 'libreoffice' && boxName) || (await nameFromPlaceholder(this.calls, path));
    if (text) Object.assign(node, { name: text, ...(text !== boxName && { nameFrom: 'placeholder' }) });
  }

  private async readTabPage(address: Address, context: WalkContext): Promise<Node | undefined> {
    if ((await readChildCount(this.calls, address[1])) !== 1) return undefined;
    const [page] = await readChildren(this.calls, address[1]);
    return page && this.element(page, context);
  }

  /** GTK 3 and Qt leave a field's name empty and point to its label. They name a combo box after its value. */
  private async readLabel(path: string, role: Role, node: Node): Promise<LabelName | undefined> {
    const { toolkit } = this.calls.app;
    if (!FIELDS.has(role) || isBrowser(toolkit)) return undefined;
    if (node.name !== undefined && !(role === 'combobox' && toolkit.comboNameIsValue)) return undefined;
    const label = await nameFromLabel(this.calls, path);
    if (!label) return undefined;
    // Qt and Swing report the value of a combo box only as its name.
    if (role === 'combobox' && VALUE_IS_NAME.has(toolkit.name) && node.name !== undefined) node.value = node.name;
    node.name = label.name;
    return label;
  }
}

function isPartlyReported({ name: toolkit }: Toolkit, { role, name, children }: Node, childCount: number): boolean {
  return (
    toolkit === 'chromium' && ITEM_ROLES.has(role) && name === undefined && childCount > 0 && children.length === 0
  );
}

interface RoleFacts {
  mapped: Role;
  roleNumber: number;
  rawName: string;
  name: string;
  childCount: number;
  bits: StateSet;
  extents: Box | undefined;
}

function roleOf(facts: RoleFacts, context: WalkContext, toolkit: Toolkit): Role {
  const { mapped, roleNumber, rawName, name, childCount, bits } = facts;
  // An item of an icon view.
  if (roleNumber === ICON && bits.has('selectable')) return 'listitem';
  if (isDrawnBox(facts) && !TEXT_FIELD_ROLES.has(context.role)) return 'canvas';
  const classRole = toolkit.classNamesAsNames ? roleFromClassName(mapped, rawName) : mapped;
  return refineRole(classRole, context.role, name, childCount, toolkit.drawnByLabels);
}

/** A large box that takes keys and contains no element draws its content. Qt has such a box in each text area. */
function isDrawnBox({ mapped, name, childCount, bits, extents }: RoleFacts): boolean {
  if (!DRAWN_BOXES.has(mapped) || name !== '' || childCount > 0 || !extents) return false;
  return bits.has('focusable') && !bits.has('editable') && Math.min(extents.width, extents.height) >= MIN_DRAWN_BOX;
}

function mayShow(bits: StateSet, byGeometry: boolean): boolean {
  return bits.has(byGeometry ? 'visible' : 'showing');
}

/**
 * Whether an element without a visible part also hides its children. Not if it has no bounds (the tab of a notebook
 * without a tab strip), and not for boxes of a web page, which may have no height and still contain visible elements.
 */
function hidesChildren(toolkit: Toolkit, { whole }: Place): boolean {
  // Gecko reports no box for an empty one, such as a tool bar that hides itself.
  if (!whole) return toolkit.showingBy === 'geometry' || toolkit.name === 'gecko';
  return !isBrowser(toolkit) || (whole.width > 0 && whole.height > 0);
}

function isEmpty(box: Box | undefined): boolean {
  return box?.width === 0 && box.height === 0;
}

/** A name or a control inside identifies the element, or is the real target. */
function hasNameOrControl({ name, role, children }: Node): boolean {
  return name !== undefined || INTERACTIVE_ROLES.has(role) || children.some(hasNameOrControl);
}

/** The centre of a spin button may lie on one of its buttons. */
function pointBesideButtons({ x, y, width, height }: Box): Point {
  return { x: x + Math.round(Math.min(12, width / 4)), y: y + Math.round(height / 2) };
}

function moveNameToValue(node: Node): void {
  if (node.name === undefined) return;
  // A combo box with a field has the field's text as its value. If its name differs from that text, it is a real name.
  const field = node.children.find(({ role }) => TEXT_FIELD_ROLES.has(role));
  if (field && typeof field.value === 'string' && field.value !== node.name) {
    node.value = field.value;
    return;
  }
  node.value ??= node.name;
  if (node.value === node.name) delete node.name;
}

/** Why a walk is incomplete. Shared by all forks of the walk. */
class ReadGaps {
  /** Elements that disappeared during the read. Normal, but reported when there are many. */
  vanished = 0;
  /** The deadline passed before the end. */
  timedOut = false;
  loop = false;
  tooDeep = false;

  constructor(
    /** Whether the caller accepts a partial result. If not, a missed deadline is an error. */
    private readonly partial: boolean,
  ) {}

  /** The result of `work`, or `fallback` at the deadline. */
  orIfLate<T, U>(work: Promise<T>, fallback: U): Promise<T | U> {
    return work.catch((error: unknown) => {
      if (!this.partial || !isLate(error)) throw error;
      this.timedOut = true;
      return fallback;
    });
  }

  /** The reason as text. `limit`: set if it was reached. `invalidReplies`: number of unusable replies. */
  reason(elementsRead: number, invalidReplies: number, limit?: number): string | undefined {
    if (this.timedOut) return `the time limit was reached; only the first ${elementsRead} elements were read`;
    if (limit !== undefined) return `only the first ${limit} elements were read`;
    if (this.loop) return 'the app lists an element among its own descendants; it is shown once';
    if (this.tooDeep) return `only the first ${MAX_DEPTH} levels were read`;
    if (invalidReplies > 0)
      return `${invalidReplies} ${invalidReplies === 1 ? 'reply' : 'replies'} of the app could not be understood`;
    if (this.vanished > 20 && this.vanished > elementsRead / 4) return 'the window changed while it was being read';
    return undefined;
  }
}
