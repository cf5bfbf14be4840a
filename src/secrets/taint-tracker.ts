import { DesktopError } from '../shared/index.js';
import {
  redactionBoxes,
  type RedactionBoxes,
  redactDeep,
  redactTree,
  type RedactableElement,
  TEXT_FIELDS,
  withoutRedactedBounds,
} from './redact-typed-secrets.js';
import { markOf, type Part, ValueRedaction, trimTruncatedEnd } from './text/redact-text.js';
import { fold } from './text/normalise.js';
import { ValueIndex } from './text/value-index.js';

/** Secret name for plain text that was typed into a password field. */
export const TYPED = 'typed';

/** Shorter keyed text is not searched for in other text; only its field is redacted. */
const MIN_KEYED_LENGTH = 4;

interface TypedSecret {
  /** Name of the secret; `TYPED` for plain text. */
  name: string;
  value: string;
  /** The driver's id of the window. */
  window: string;
  title?: string | undefined;
  /** The driver's id of the element. Absent when the target has no tree: then the whole window is secret. */
  field?: string;
  /** The process that received it. Unknown processes count as every process. */
  pid?: number | undefined;
  /** The field is not a password field: its content can be selected, split and copied. */
  open?: boolean;
}

export interface Where {
  /** Id or title. Short secrets are redacted only in the window where they were typed. */
  window?: string;
}

/** Tracks text that was typed and must not come back, from just before the first key until the process ends. */
export class TaintTracker {
  private readonly index = new ValueIndex();
  private readonly names = new Set<string>();
  private readonly values = new ValueRedaction(this.index, this.names);
  private readonly fields = new Map<string, { name: string; window: string }>();
  /** Fields whose value was replaced since: an undo in the app can restore the secret. */
  private readonly replaced = new Map<string, { name: string; window: string }>();
  private readonly wholeWindows = new Map<string, string>();
  private readonly touchedWindows = new Set<string>();
  /** Name of the last secret that was typed into a field that can be copied from. */
  private lastCopiable: string | undefined;
  /** Processes that hold a typed secret, with its name. */
  private readonly apps = new Map<number | undefined, string>();
  private readonly keyedText = new Map<string, string>();

  /** Trackers of the same desktop that receive window titles through this one. */
  private readonly followers: TaintTracker[] = [];

  /** From now on, `other` receives window titles after this tracker has redacted them. */
  addFollower(other: TaintTracker): void {
    this.followers.push(other);
  }

  /** Whether any tracker needs window titles. */
  get needsTitles(): boolean {
    return !this.empty || this.followers.some(({ empty }) => !empty);
  }

  /** Nothing was typed, so nothing needs redaction. */
  get empty(): boolean {
    return this.names.size === 0;
  }

  /** Must be called before anything is logged or performed: from then on the value is redacted everywhere. */
  typed({ name, value, window, title, field, open, pid }: TypedSecret): void {
    this.names.add(name);
    this.apps.set(pid, name);
    if (open) this.lastCopiable = name;
    this.index.add(value, name, [window, title ?? window]);
    this.touchedWindows.add(window);
    if (field === undefined) this.wholeWindows.set(window, name);
    else this.fields.set(field, { name, window });
  }

  /** Single key presses: together they form the value, even across several calls. */
  keyed(place: Omit<TypedSecret, 'value'> & { field: string }, add: (before: string) => string): void {
    const value = add(this.keyedText.get(place.field) ?? '');
    this.keyedText.set(place.field, value);
    this.typed({ ...place, value: value.length < MIN_KEYED_LENGTH ? '' : value });
  }

  /**
   * The field is gone, or a non-secret act replaced its whole value. Typing only adds, so it does not clear a field.
   */
  clearField(field: string): void {
    const secret = this.fields.get(field);
    if (secret) this.replaced.set(field, secret);
    this.fields.delete(field);
    this.keyedText.delete(field);
  }

  /** An undo may have restored a replaced secret, possibly in pieces that cannot be recognised. */
  restoreAfterUndo(window: string): void {
    for (const [field, secret] of this.replaced) if (secret.window === window) this.fields.set(field, secret);
  }

  /**
   * A known value was seen in this field. If it had been replaced, the field is secret again. Returns the field's mark.
   */
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
        this.keyedText.delete(field);
      }
    this.wholeWindows.delete(window);
    this.touchedWindows.delete(window);
  }

  /** Titles change, and the ledger identifies windows by their redacted titles. */
  windowTitled(window: string, title: string): void {
    this.index.addWindowName(window, title);
    const seen = this.redactSeen(title, { window });
    this.index.addWindowName(window, seen);
    for (const other of this.followers) other.windowTitled(window, seen);
  }

  /** The mark that replaces the value, text and selection of this field. */
  fieldMark(field: string): string | undefined {
    const name = this.fields.get(field)?.name;
    return name === undefined ? undefined : markOf(name);
  }

  /** The mark that replaces everything read from this window without a tree. */
  windowMark(window: string): string | undefined {
    const name = this.wholeWindows.get(window);
    return name === undefined ? undefined : markOf(name);
  }

  /**
   * The mark that replaces clipboard content copied by an app. Pieces of a field may have been copied with other text
   * between them, so the value cannot be recognised in it; and the copy outlives the field.
   */
  get copyMark(): string | undefined {
    return this.lastCopiable === undefined ? undefined : markOf(this.lastCopiable);
  }

  /**
   * The mark that replaces everything that this process copies, however short: a secret was typed into it. A process
   * that is not known may be the one.
   */
  appMark(pid: number | undefined): string | undefined {
    const name = this.apps.get(pid) ?? this.apps.get(undefined) ?? (pid === undefined ? this.lastName : undefined);
    return name === undefined ? undefined : markOf(name);
  }

  private get lastName(): string | undefined {
    return [...this.apps.values()].at(-1);
  }

  /** Something was typed there: while its tree cannot be read, no screenshot of the window may be returned. */
  isTouched(window: string): boolean {
    return this.touchedWindows.has(window);
  }

  redactText(text: string, { window }: Where = {}): string {
    return this.empty ? text : this.values.redact(text, window);
  }

  /** Redacts a part of a longer text, with enough context on both sides to recognise a value. */
  redactPart(part: Part, { window }: Where = {}): string {
    return this.values.redactPart(part, window);
  }

  /** Redacts text from a driver. A truncated text may end with the beginning of a value. */
  redactSeen(text: string, where: Where = {}): string {
    return this.empty ? text : trimTruncatedEnd(this.redactText(text, where));
  }

  /** An argument contains only what its caller passed, so a short secret is recognised in any window. */
  redactArgument(text: string, where: Where = {}): string {
    const name = this.index.nameOfShort(fold(text).trim());
    return name === undefined ? this.redactText(text, where) : markOf(name);
  }

  /** Redacts every string in it; the structure and all parts without secrets stay. */
  redactValue<T>(json: T, where: Where = {}): T {
    return this.empty ? json : redactDeep(json, (text) => this.redactText(text, where));
  }

  /** A result without the bounds of elements whose text was redacted. */
  withoutBounds<T>(json: T): T {
    return this.empty ? json : withoutRedactedBounds(json, (text) => this.values.isMarked(text));
  }

  /** Redacts an event or another result from a driver. */
  redactSeenValue<T>(json: T, where: Where = {}): T {
    return this.empty ? json : redactDeep(json, (text) => this.redactSeen(text, where));
  }

  /** Redacts a tree from a driver. */
  redactTree<T extends RedactableElement>(root: T, window: string): T {
    if (this.empty) return root;
    const deep = <J>(json: J): J => this.redactSeenValue(json, { window });
    this.restoreReplaced(root, window);
    return redactTree(root, { markOf: (field) => this.fieldMark(field), deep });
  }

  private restoreReplaced(node: RedactableElement, window: string): void {
    const holds = (one: RedactableElement): boolean =>
      TEXT_FIELDS.some((key) => this.redactText(String(one[key] ?? ''), { window }) !== String(one[key] ?? '')) ||
      one.children.some(holds);
    if (this.replaced.has(node.id) && holds(node)) this.seenIn(node.id);
    for (const child of node.children) this.restoreReplaced(child, window);
  }

  /** Apps put file names and values into their errors. A cause may contain them in any form, so it is dropped. */
  redactError(error: DesktopError, where: Where = {}): DesktopError {
    return this.empty ? error : DesktopError.fromJSON(this.redactValue(error.toJSON(), where));
  }

  redactionBoxes(elements: Iterable<RedactableElement>, window: string): RedactionBoxes {
    const holds = (text: string): boolean => this.values.isMarked(text) || this.redactText(text, { window }) !== text;
    const found = redactionBoxes(elements, { isField: (id) => this.fields.has(id), holds });
    return this.wholeWindows.has(window) ? { ...found, whole: true } : found;
  }

  end(): void {
    this.index.clear();
    this.lastCopiable = undefined;
    this.apps.clear();
    for (const kept of [this.names, this.fields, this.replaced, this.wholeWindows, this.touchedWindows, this.keyedText])
      kept.clear();
  }
}
