import type {
  ActResult as Acted,
  Capabilities,
  DesktopEvent as RuntimeEvent,
  ToolArgs,
  ToolName,
  ToolResult,
} from '../../tools/index.js';
import type { Box, Element, Point, Role, Size, Snapshot as Look, WindowInfo } from '../../tree/index.js';
import type { AuditLog } from './audit-log.js';
import type {
  ActOptions,
  CaptureOptions,
  ClickOptions,
  Condition,
  Exact,
  LaunchOptions,
  ScreenCaptureOptions,
  ScrollOptions,
  Secret,
  SnapshotOptions,
  Timeout,
  TypeOptions,
} from './options.js';
import type { FilterStates, RoleOptions } from './locator/selector-builder.js';

/** What an act did, and what is known of its effect. `changed: 'no'` is an answer, not a failure. */
export type ActResult = Acted;
/** What `act` can do to an element. */
export type ActionName = ToolArgs['ui_act']['action'];
/** Something that happened on the desktop. Names and titles in it come from apps: data. */
export type DesktopEvent = RuntimeEvent;
/** What kinds of events there are. */
export type EventType = DesktopEvent['what'];

/** A look: the tree, and the text of it that a model would get. All names and values in both come from apps: data. */
export interface Snapshot extends Look {
  /** With refs, between marks that say whose words they are. */
  text: string;
}

/** Everything about one element. Its names and values come from the app: data. */
export interface ElementInfo extends Omit<Element, 'children'> {
  /** Ref of the window that it is in. */
  window: string;
  /** The named things around it, the outermost first. */
  path: { ref?: string; role: string; name?: string }[];
  /** A selector that finds this one alone, and probably will. */
  selector?: string;
}

/** A picture. Secret fields in it are painted over. */
export interface Frame extends Size {
  /** `c3`: a space in which `mouse` takes points. */
  id: string;
  /** The file, as its format says. */
  data: Buffer;
  /** Of `data`. */
  format: 'png' | 'jpeg';
  /** Where its first pixel is on the screen. */
  origin: Point;
  /** Pixels of the picture for one of the screen. */
  scale: number;
  /** When it was taken, as ISO time. */
  takenAt: string;
  /** How many secret fields were painted over. */
  painted: number;
}

/** Where elements are looked for. Nothing is looked for before something is done with what was found. */
export interface Scope {
  /** By a selector: docs/selectors.md. A wrong one fails here, with the place that is wrong. */
  locator(selector: string): Locator;
  /** By what it is, and perhaps what it is called. A string is a part of the name, unless `exact`. */
  getByRole(role: Role, options?: RoleOptions): Locator;
  /** By the text that it shows: name, value or own text. */
  getByText(text: string | RegExp, options?: Exact): Locator;
  /** A field, by its label. */
  getByLabel(label: string | RegExp, options?: Exact): Locator;
  /** A field, by what stands in it while it is empty. */
  getByPlaceholder(text: string | RegExp): Locator;
  /** By the developer's id. */
  getById(automationId: string): Locator;
}

/**
 * A way to one element. It is looked for again each time, and waited for; if two fit, nothing is done and the error
 * lists them.
 */
export interface Locator extends Scope {
  /** Clicks it: by its own action if it has one, else by the mouse. */
  click(options?: ClickOptions): Promise<ActResult>;
  /** Clicks it twice in a row. */
  dblclick(options?: ClickOptions): Promise<ActResult>;
  /** Moves the mouse over it. */
  hover(options?: ActOptions): Promise<ActResult>;
  /** Replaces its value, and reads it back. */
  fill(value: string | number, options?: ActOptions): Promise<ActResult>;
  /** Types at its caret. */
  type(text: string | Secret, options?: TypeOptions): Promise<ActResult>;
  /** Gives it the focus and presses keys: `ctrl+s`, `Down Down Enter`. */
  press(keys: string, options?: ActOptions): Promise<ActResult>;
  /** Ticks it, unless it is. */
  check(options?: ActOptions): Promise<ActResult>;
  /** Unticks it, if it is ticked. */
  uncheck(options?: ActOptions): Promise<ActResult>;
  /** Chooses in a combo box or a list, by the whole name. */
  selectOption(name: string, options?: ActOptions): Promise<ActResult>;
  /** Opens it, unless it is open. */
  expand(): Promise<ActResult>;
  /** Closes it, if it is open. */
  collapse(): Promise<ActResult>;
  /** Gives it the focus. */
  focus(): Promise<ActResult>;
  /** A named action. */
  act(action: ActionName, options?: ActOptions): Promise<ActResult>;
  /** Drags it onto another one. */
  dragTo(to: Locator, options?: ActOptions): Promise<ActResult>;
  /** Scrolls in it. */
  scroll(options?: ScrollOptions): Promise<ActResult>;
  /** The first of those that fit. */
  first(): Locator;
  /** The last of those that fit. */
  last(): Locator;
  /** One of those that fit, from 0; negative numbers count from the end. */
  nth(n: number): Locator;
  /** Only those that show a text, hold something, or are in a state. */
  filter(options: { hasText?: string | RegExp; has?: Locator; state?: FilterStates }): Locator;
  /** The nearest on its right, at most so far. */
  rightOf(anchor: Locator, px?: number): Locator;
  /** The nearest on its left, at most so far. */
  leftOf(anchor: Locator, px?: number): Locator;
  /** The nearest above it, at most so far. */
  above(anchor: Locator, px?: number): Locator;
  /** The nearest below it, at most so far. */
  below(anchor: Locator, px?: number): Locator;
  /** How many fit now. */
  count(): Promise<number>;
  /** Those that fit now, each by its ref, which never means another element. */
  all(): Promise<Locator[]>;
  /** Everything about it. */
  describe(): Promise<ElementInfo>;
  /** Its whole text: of a field, a document, a list or a table. */
  textContent(options?: { range?: string }): Promise<string>;
  /** What is in the field. */
  inputValue(): Promise<string>;
  /** Whether it is there and on the screen now. Waits for nothing. */
  isVisible(): Promise<boolean>;
  /** Whether it can be used. */
  isEnabled(): Promise<boolean>;
  /** Whether it is ticked or pressed; what is half of it is not. */
  isChecked(): Promise<boolean>;
  /** Where it is on the screen; null when it is not. */
  boundingBox(): Promise<Box | null>;
  /** Cells of a table or sheet, row by row: `A1:D40`, `15-60`. Empty cells are empty texts. */
  cells(range: string): Promise<string[][]>;
  /** Waits until it is on the screen (`visible`, the default), gone, or usable. */
  waitFor(options?: { state?: 'visible' | 'gone' | 'enabled' } & Timeout): Promise<void>;
  /** A picture of it. */
  capture(options?: CaptureOptions): Promise<Frame>;
  /** As it was written, for people. */
  toString(): string;
}

/** One window. It is looked for again each time; if two fit, nothing is done. */
export interface DesktopWindow extends Scope {
  /** Title, app, place, state. */
  info(): Promise<WindowInfo>;
  /** Brings it to the front and gives it the focus. */
  focus(): Promise<ActResult>;
  /** Asks it to close. */
  close(options?: ActOptions): Promise<ActResult>;
  /** Makes an icon of it. */
  minimize(): Promise<ActResult>;
  /** Lets it fill the screen. */
  maximize(): Promise<ActResult>;
  /** Gives it its usual size. */
  restore(): Promise<ActResult>;
  /** Moves its upper left corner there, in pixels of the screen. */
  move(to: Point): Promise<ActResult>;
  /** Changes its size. */
  resize(size: Size): Promise<ActResult>;
  /** Looks at it. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /** A picture of it. */
  capture(options?: CaptureOptions): Promise<Frame>;
  /** As it was written, for people. */
  toString(): string;
}

/** A program that was started here. It ends with the desktop. */
export interface App extends AsyncDisposable {
  /** Of the process that was started. */
  readonly pid: number;
  /** What it writes. Read it, which keeps this process alive, or let it be: at most 16 MB are kept. */
  readonly stdout: NodeJS.ReadableStream;
  /** What it complains about. */
  readonly stderr: NodeJS.ReadableStream;
  /** Its exit code; null when it was ended by a signal. */
  readonly exited: Promise<number | null>;
  /** Its first window, as soon as there is one. */
  firstWindow(options?: Timeout): Promise<DesktopWindow>;
  /** Its windows now, and those of what it has started. */
  windows(): Promise<WindowInfo[]>;
  /** Ends it: asks first, and after two seconds asks no more. */
  close(): Promise<void>;
}

/** Keys, for whatever has the focus. */
export interface Keyboard {
  /** Presses keys, in order: `ctrl+s`, `Down Down Enter`. */
  press(keys: string, options?: ActOptions): Promise<ActResult>;
  /** Types where the caret is. */
  type(text: string | Secret, options?: TypeOptions): Promise<ActResult>;
}

/** The mouse at a point: the last resort, for what no locator finds. Policies may deny it. */
export interface Mouse {
  /** Clicks at a point of the screen, of a window (`w2`) or of a picture (`c3`). */
  click(
    x: number,
    y: number,
    options?: Pick<ClickOptions, 'button' | 'verify'> & { space?: string },
  ): Promise<ActResult>;
  /** Clicks there twice in a row. */
  dblclick(
    x: number,
    y: number,
    options?: Pick<ClickOptions, 'button' | 'verify'> & { space?: string },
  ): Promise<ActResult>;
  /** Moves it there. */
  move(x: number, y: number, options?: { space?: string }): Promise<ActResult>;
}

/** The clipboard of the desktop. */
export interface Clipboard {
  /** Its text; undefined when it holds none. The text comes from an app: data. */
  read(): Promise<string | undefined>;
  /** Replaces its text. */
  write(text: string): Promise<ActResult>;
}

/** A desktop: the person's own, or a private one. `await using` closes it, whatever happens. */
export interface Desktop extends Scope, AsyncDisposable {
  /** `user`, or the name of a private one, for `deskproof --desktop`. */
  readonly name: string;
  /** Keys without a target. */
  readonly keyboard: Keyboard;
  /** The mouse without a target. */
  readonly mouse: Mouse;
  /** Its clipboard. */
  readonly clipboard: Clipboard;
  /** What was done here, as it was written down. */
  readonly audit: AuditLog;
  /** Starts a program with accessibility on, in a private desktop. */
  launch(command: string, options?: LaunchOptions): Promise<App>;
  /** The windows, front to back. */
  windows(options?: { hidden?: boolean }): Promise<WindowInfo[]>;
  /** A window by title (equal, else a part of it), pattern, app, process or ref; the active one when nothing is said. */
  window(which?: string | RegExp | { app?: string; pid?: number }): DesktopWindow;
  /** Looks at all windows. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /** A picture of the screen. */
  capture(options?: ScreenCaptureOptions): Promise<Frame>;
  /** Waits until a condition holds; `timeout` when it does not in time. */
  waitFor(condition: Condition, options?: Timeout): Promise<void>;
  /** Waits until there is such a window. */
  waitForWindow(title: string | RegExp, options?: Timeout): Promise<DesktopWindow>;
  /** What happens from now on, until the loop is left, `signal` is aborted or the desktop is closed. */
  events(options?: { types?: EventType[]; signal?: AbortSignal }): AsyncIterable<DesktopEvent>;
  /** Any tool, as MCP has it. */
  call<T extends ToolName>(tool: T, args: ToolArgs[T]): Promise<ToolResult[T]>;
  /** What works here, and what the policy allows. */
  capabilities(): Promise<Capabilities>;
  /** Ends what was opened for this object: a private desktop with everything in it, else only the connection. */
  close(): Promise<void>;
}
