import { DesktopError } from '../shared/index.js';
import { placesToPaint, type PlacesToPaint, redactDeep, redactTree, type Shown, TEXTS } from './redact-tree.js';
import { markOf, type Part, ValueRedaction, withoutCutEnd } from './text/redact-text.js';
import { fold } from './text/normalise.js';
import { ValueIndex } from './text/value-index.js';

/** What plain text typed into a password field is called. */
export const TYPED = 'typed';

/** Fewer of its characters are known as nothing but the field. */
const LEAST_STRUCK = 4;

export interface TypedSecret {
  /** Of the secret; `TYPED` for plain text. */
  name: string;
  value: string;
  /** The driver's id of the window. */
  window: string;
  title?: string | undefined;
  /** The driver's id of the element; absent when the target has no tree: then all of the window is secret. */
  field?: string;
  /** It is no password field: what stands there can be selected, taken apart and copied. */
  open?: boolean;
}

export interface Where {
  /** Id or title: short secrets count only in the window that they were typed into. */
  window?: string;
}

/** What was typed and must not come back, from the moment before the first key until the end of the process. */
export class TaintTracker {
  private readonly index = new ValueIndex();
  private readonly names = new Set<string>();
  private readonly values = new ValueRedaction(this.index, this.names);
  private readonly fields = new Map<string, { name: string; window: string }>();
  /** Fields that had another value since: an app can take that back. */
  private readonly replaced = new Map<string, { name: string; window: string }>();
  private readonly wholeWindows = new Map<string, string>();
  private readonly touchedWindows = new Set<string>();
  /** The last one that stood where it could be copied. */
  private copiable: string | undefined;
  private readonly struckSoFar = new Map<string, string>();

  /** Others of the same desktop, which hear of titles through this one. */
  private readonly others: TaintTracker[] = [];

  /** From here on it hears what windows are called, as they are called after this one has redacted it. */
  alsoTell(other: TaintTracker): void {
    this.others.push(other);
  }

  /** Whether anybody has to know what windows are called. */
  get needsTitles(): boolean {
    return !this.empty || this.others.some(({ empty }) => !empty);
  }

  /** Nothing was typed: nothing has to be looked at. */
  get empty(): boolean {
    return this.names.size === 0;
  }

  /** To be called before anything is written down or done: from here on the value is known everywhere. */
  typed({ name, value, window, title, field, open }: TypedSecret): void {
    this.names.add(name);
    if (open) this.copiable = name;
    this.index.add(value, name, [window, title ?? window]);
    this.touchedWindows.add(window);
    if (field === undefined) this.wholeWindows.set(window, name);
    else this.fields.set(field, { name, window });
  }

  /** Keys that came one by one: together they are the value, in however many calls they came. */
  struck(place: Omit<TypedSecret, 'value'> & { field: string }, add: (before: string) => string): void {
    const value = add(this.struckSoFar.get(place.field) ?? '');
    this.struckSoFar.set(place.field, value);
    this.typed({ ...place, value: value.length < LEAST_STRUCK ? '' : value });
  }

  /** A field is free again when it is gone or a non-secret act replaced all of its value. Typing adds, it does not replace. */
  fieldFree(field: string): void {
    const secret = this.fields.get(field);
    if (secret) this.replaced.set(field, secret);
    this.fields.delete(field);
    this.struckSoFar.delete(field);
  }

  /** What was replaced there may be back, and in pieces before anybody sees it. */
  mayBeBack(window: string): void {
    for (const [field, secret] of this.replaced) if (secret.window === window) this.fields.set(field, secret);
  }

  /** A value was seen: where it had been replaced it is back, and the field as secret as before, by this mark. */
  seenIn(field: string): string | undefined {
    const secret = this.replaced.get(field);
    if (secret) this.fields.set(field, secret);
    return this.fieldMark(field);
  }

  windowGone(window: string): void {
    for (const fields of [this.fields, this.replaced])
      for (const [field, { window: its }] of fields) {
        if (its !== window) continue;
        fields.delete(field);
        this.struckSoFar.delete(field);
      }
    this.wholeWindows.delete(window);
    this.touchedWindows.delete(window);
  }

  /** Titles change; the ledger knows windows by their titles, and only as they were redacted. */
  windowTitled(window: string, title: string): void {
    this.index.alsoNamed(window, title);
    const seen = this.redactSeen(title, { window });
    this.index.alsoNamed(window, seen);
    for (const other of this.others) other.windowTitled(window, seen);
  }

  /** What to give for the value, text and selection of this field. */
  fieldMark(field: string): string | undefined {
    const name = this.fields.get(field)?.name;
    return name === undefined ? undefined : markOf(name);
  }

  /** What to give for everything that is read from this window without a tree. */
  windowMark(window: string): string | undefined {
    const name = this.wholeWindows.get(window);
    return name === undefined ? undefined : markOf(name);
  }

  /**
   * What to give for a copy that an app made. It may have been taken out of a field piece by piece, with anything
   * between the pieces, so that nothing in it can be known again; and it stays when the field is gone.
   */
  get copyMark(): string | undefined {
    return this.copiable === undefined ? undefined : markOf(this.copiable);
  }

  /** Something was typed there: when its tree cannot be read just now, a picture of it must not be given. */
  isTouched(window: string): boolean {
    return this.touchedWindows.has(window);
  }

  redactText(text: string, { window }: Where = {}): string {
    return this.values.redact(text, window);
  }

  /** A part of a longer text, with as much around it as a value may take. */
  redactPart(part: Part, { window }: Where = {}): string {
    return this.values.redactPart(part, window);
  }

  /** A text as it comes from a driver: one that was cut there may end in the beginning of a value. */
  redactSeen(text: string, where: Where = {}): string {
    return this.empty ? text : withoutCutEnd(this.redactText(text, where));
  }

  /** An argument is nothing but what its caller gave: a short secret is known in it wherever it goes. */
  redactArgument(text: string, where: Where = {}): string {
    const name = this.index.wordNamed(fold(text).trim());
    return name === undefined ? this.redactText(text, where) : markOf(name);
  }

  /** Every text in it; structure, and all that holds nothing, stay. */
  redactValue<T>(json: T, where: Where = {}): T {
    return this.empty ? json : redactDeep(json, (text) => this.redactText(text, where));
  }

  /** An event or other answer as it comes from a driver. */
  redactSeenValue<T>(json: T, where: Where = {}): T {
    return this.empty ? json : redactDeep(json, (text) => this.redactSeen(text, where));
  }

  /** A tree as it comes from a driver. */
  redactTree<T extends Shown>(root: T, window: string): T {
    if (this.empty) return root;
    const deep = <J>(json: J): J => this.redactSeenValue(json, { window });
    this.lookForReplaced(root, window);
    return redactTree(root, { markOf: (field) => this.fieldMark(field), deep });
  }

  private lookForReplaced(node: Shown, window: string): void {
    const holds = (one: Shown): boolean =>
      TEXTS.some((key) => this.redactText(String(one[key] ?? ''), { window }) !== String(one[key] ?? '')) ||
      one.children.some(holds);
    if (this.replaced.has(node.id) && holds(node)) this.seenIn(node.id);
    for (const child of node.children) this.lookForReplaced(child, window);
  }

  /** Apps put file names and values into their errors; a cause may hold them in any form, so it stays behind. */
  redactError(error: DesktopError, where: Where = {}): DesktopError {
    return this.empty ? error : DesktopError.fromJSON(this.redactValue(error.toJSON(), where));
  }

  placesToPaint(elements: Iterable<Shown>, window: string): PlacesToPaint {
    const holds = (text: string): boolean => this.values.isMarked(text) || this.redactText(text, { window }) !== text;
    const found = placesToPaint(elements, { isField: (id) => this.fields.has(id), holds });
    return this.wholeWindows.has(window) ? { ...found, whole: true } : found;
  }

  end(): void {
    this.index.clear();
    this.copiable = undefined;
    for (const kept of [
      this.names,
      this.fields,
      this.replaced,
      this.wholeWindows,
      this.touchedWindows,
      this.struckSoFar,
    ])
      kept.clear();
  }
}
