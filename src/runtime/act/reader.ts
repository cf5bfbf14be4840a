import {
  type Capability,
  type CapabilityState,
  type DriverDescription,
  type Finding,
  type RangeRequest,
  requireCapability,
  type ResolvedCommand,
  type TextAnswer,
} from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import { type Pixels } from '../../imaging/index.js';
import {
  contains,
  type Element,
  type Point,
  type Snapshot,
  type Span,
  type TableInfo,
  type WindowInfo,
} from '../../tree/index.js';
import type { ActionPlan, HitTestResult } from './action.js';
import type { TextBefore } from '../verify/typed-text.js';
import { type CaptureRequest, type Capture, takeCapture } from '../capture/take-capture.js';
import { pointOnScreen } from '../capture/capture-store.js';
import type { Condition } from '../conditions/condition.js';
import type { WindowList } from '../desktop/desktop.js';
import type { CallView } from '../visibility/call-view.js';
import type { DesktopEvent, Since } from '../desktop/event-log.js';
import { parseSelector, type Selector } from '../../selector/index.js';
import { findElements, type Search, type SearchOptions } from '../locate/elements.js';
import { findTarget, foundTarget, type Target, type TargetRead } from '../locate/target.js';
import { findWindow } from '../observe/window.js';
import { withWindowContext, elementSnapshot, takeSnapshot, type SnapshotOptions } from '../observe/snapshot.js';
import { hiddenByPolicyError, refuseHidden } from '../visibility/hidden-windows.js';
import { refreshPaths } from '../authorization/authorize-act.js';
import { refuseForeignMenu } from '../actionability/keyboard-focus.js';
import {
  type ClassExamples,
  type DecisionPreview,
  policySummary,
  type PolicySummary,
  previewDecision,
} from '../authorization/policy-preview.js';
import type { Tool } from '../call/tool.js';
import { suggestSelector, type SuggestedSelector } from '../locate/suggest-selector.js';
import { notFound } from '../locate/resolve-selector.js';
import { fixFor, userInputFindings } from '../user/emergency-stop.js';
import { visibleFindings } from '../visibility/hidden-apps.js';
import { evaluateNow, waitFor, type WaitOutcome, type WaitOptions } from '../conditions/wait.js';

export interface Rows {
  rows: Element[];
  /** What was really read. */
  span: Span;
  total: number;
  table?: TableInfo;
}

/** What works on a desktop, what is missing and the fix, and what its policy allows. */
export interface Capabilities {
  desktop: string;
  driver: Pick<DriverDescription, 'kind' | 'name' | 'version' | 'experimental'>;
  capabilities: Record<Capability, CapabilityState>;
  findings: Finding[];
  policy?: PolicySummary;
}

/** What was found, for which selector, as the caller wrote it. */
export interface SelectorSearch extends Search {
  selector: Selector;
  text: string;
  within?: string;
}

const WHOLE_TEXT = 1_000_000;

/** What a tool sees of a desktop for the length of one call: everything can be read, nothing can be changed. */
export class Reader {
  constructor(
    private readonly desktop: CallView,
    private readonly deadline: Deadline,
    private readonly caller: string,
    private readonly onProgress?: (elementsRead: number) => void,
  ) {}

  windows(): Promise<WindowList> {
    return this.desktop.listWindows(this.deadline);
  }

  async window(which: string): Promise<WindowInfo> {
    return findWindow(this.desktop, (await this.windows()).windows, which);
  }

  /** The one that was named, else the one that has the desktop's attention. */
  async activeWindow(which?: string): Promise<WindowInfo> {
    if (which !== undefined) return this.window(which);
    const active = (await this.windows()).windows.find((window) => window.active);
    if (active) return active;
    if (this.desktop.hiddenWindows.hidesActive) throw hiddenByPolicyError('What has the keys');
    throw new DesktopError('element_not_found', 'No window is active now.', { hint: 'name one: window w2.' });
  }

  /** Fails when the menu of another app has the keys of this window. */
  noMenuElsewhere(window: WindowInfo): Promise<void> {
    return refuseForeignMenu(this.desktop, window, this.deadline);
  }

  /** The window that a person would hit there. */
  async windowAt(point: Point): Promise<WindowInfo | undefined> {
    const { windows } = await this.windows();
    refuseHidden(this.desktop, point);
    return windows.find(({ visible, minimised, bounds }) => visible && !minimised && bounds && contains(bounds, point));
  }

  /** What the mouse would meet there: for rules, which are about what it does and not about how it is said. */
  async under(point: Point): Promise<HitTestResult> {
    const window = await this.windowAt(point);
    if (!window || !this.desktop.driver.atPoint) return window ? { window } : {};
    try {
      const target = await this.atPoint(point, { depth: 0 });
      if (!target) return { window };
      return { window: target.window, lands: { target: { ...target, how: 'point' } } };
    } catch (error) {
      // It may be anything, and counts as that.
      if (error instanceof DesktopError) return { window, lands: {} };
      throw error;
    }
  }

  /** The same aim with all that its targets are in now. */
  pathsNow(plan: ActionPlan): Promise<ActionPlan> {
    return refreshPaths(this.desktop, plan, this.deadline);
  }

  look(options: SnapshotOptions): Promise<Snapshot> {
    return takeSnapshot(this.desktop, options, { deadline: this.deadline, onProgress: this.onProgress });
  }

  /** A look at one part: `target` and what is in it. */
  async lookAt(target: string, options: SnapshotOptions): Promise<Snapshot> {
    const { window, element } = await this.target(target, options.window);
    if (element.ref.startsWith('w')) return this.look({ ...options, window: element.ref });
    const { full, maxNodes } = options;
    try {
      const read = { full, maxNodes, deadline: this.deadline, onProgress: this.onProgress };
      const answer = await requireCapability(this.desktop.driver, 'read')({ element: element.id }, read);
      return elementSnapshot(this.desktop, window, answer);
    } catch (error) {
      throw withWindowContext(error, window);
    }
  }

  /** One of the last looks. */
  snapshot(id: string): Snapshot {
    return this.desktop.snapshot(id);
  }

  target(target: string, window?: string, read?: TargetRead): Promise<Target> {
    return findTarget(this.desktop, target, window, this.deadline, read);
  }

  /** All that a selector finds; nothing is an error that names what comes near. */
  async find(text: string, options: SearchOptions): Promise<SelectorSearch> {
    const search = await this.search(text, options);
    if (search.matches.length > 0) return search;
    throw await this.missed(search);
  }

  /** The same, but nothing is an answer too. */
  async search(text: string, options: SearchOptions): Promise<SelectorSearch> {
    const selector = parseSelector(text);
    const call = { deadline: this.deadline, onProgress: this.onProgress };
    return { ...(await findElements(this.desktop, selector, options, call)), selector, text, within: options.within };
  }

  /** The error for a search that found nothing. */
  missed(search: SelectorSearch): Promise<DesktopError> {
    const { selector, text, within } = search;
    return notFound(this.desktop, { selector, text, window: within }, search, { deadline: this.deadline });
  }

  /** Whether something that shows fits the selector. */
  async shows(text: string, within?: string): Promise<boolean> {
    const options = { shown: true, ...(within !== undefined && { within }) };
    const { matches } = await findElements(this.desktop, parseSelector(text), options, { deadline: this.deadline });
    return matches.length > 0;
  }

  /** A selector for it that is unique now and likely to stay so. */
  lastingSelector(target: Target): Promise<SuggestedSelector | undefined> {
    return suggestSelector(this.desktop, target, { deadline: this.deadline });
  }

  async atPoint(point: Point, read: TargetRead): Promise<Target | undefined> {
    const { driver } = this.desktop;
    const found = await requireCapability(driver, 'atPoint')(point, { deadline: this.deadline });
    if (!found) return undefined;
    return foundTarget(this.desktop, found, (await this.windows()).windows, this.deadline, read);
  }

  async text({ element, window }: Target, span: { start: number; end: number }): Promise<TextAnswer> {
    const { driver } = this.desktop;
    try {
      return await requireCapability(driver, 'text')(element.id, span, { deadline: this.deadline });
    } catch (error) {
      throw withWindowContext(error, window);
    }
  }

  /** All of it, as long as it is not too long to be compared; undefined where it has no text to read. */
  async wholeText(target: Target): Promise<string | undefined> {
    const { driver } = this.desktop;
    if (!driver.text) return target.element.value === undefined ? undefined : String(target.element.value);
    try {
      return (await this.text(target, { start: 0, end: WHOLE_TEXT })).text;
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'not_supported') return undefined;
      throw error;
    }
  }

  /** All that a field holds, and where its caret is; undefined where either is not told. */
  async held(target: Target): Promise<TextBefore | undefined> {
    const { driver } = this.desktop;
    const caret = await driver.caret?.(target.element.id, { deadline: this.deadline });
    const text = caret && (await this.wholeText(target));
    return caret && text !== undefined && text.length < WHOLE_TEXT ? { text, ...caret } : undefined;
  }

  async range({ element, window }: Target, request: RangeRequest): Promise<Rows> {
    const { driver, refs, snapshots } = this.desktop;
    try {
      const answer = await requireCapability(driver, 'range')(element.id, request, {
        deadline: this.deadline,
      });
      const seen = { snapshot: snapshots.lastId, root: 'element' } as const;
      return { ...answer, rows: answer.rows.map((row) => refs.adopt(row, window.id, seen)) };
    } catch (error) {
      throw withWindowContext(error, window);
    }
  }

  /** A picture, with what is secret painted over, and what `develop` makes of it. */
  capture<T>(
    request: CaptureRequest,
    develop: (picture: Pixels) => Promise<T>,
  ): Promise<{ frame: Capture; developed: T }> {
    return takeCapture(this.desktop, request, { caller: this.caller, deadline: this.deadline }, develop);
  }

  /** Puts a picture into a file whose place the desktop chooses. */
  writeCapture(id: string, bytes: Buffer, extension: string): Promise<string> {
    return this.desktop.captures.write(id, bytes, extension);
  }

  /** Where a point of one of the last pictures is on the screen. */
  async pointInCapture(id: string, point: Point): Promise<Point> {
    return pointOnScreen(this.desktop.captures.get(id), id, point, (await this.windows()).windows);
  }

  /** Until the condition holds; when the time is up, what was last seen. */
  waitFor(condition: Condition, options: WaitOptions): Promise<WaitOutcome> {
    return waitFor(this.desktop, condition, options, { deadline: this.deadline });
  }

  /** Whether the condition holds now. */
  judge(condition: Condition, within?: string): Promise<WaitOutcome> {
    return evaluateNow(this.desktop, condition, within, { deadline: this.deadline });
  }

  /** What a command would start; undefined where nothing is found, or nothing may be started. */
  resolveCommand(command: string, args: readonly string[]): ResolvedCommand | undefined {
    return this.desktop.resolveCommand?.(command, args);
  }

  /** What happened since this caller asked last. */
  happenings(wanted: (event: DesktopEvent) => boolean): Since {
    return this.desktop.events.since(this.caller, (event) => wanted(event) && this.desktop.hears(event));
  }

  /** What policy would decide about a call. Nothing is done, asked or counted. */
  previewDecision(tool: Tool, call: Parameters<typeof previewDecision>[2]): Promise<DecisionPreview> {
    return previewDecision(this.desktop, tool, call, this);
  }

  /** `examples`: one tool of each class, for the summary of the policy. */
  async capabilities(examples: ClassExamples): Promise<Capabilities> {
    const { kind, name, version, experimental, capabilities } = this.desktop.driver.describe();
    const found = await this.desktop.driver.doctor({ deadline: this.deadline });
    const findings = [
      ...userInputFindings(this.desktop),
      ...(await visibleFindings(this.desktop, found, this.deadline)),
    ];
    const driver = { kind, name, version, ...(experimental && { experimental }) };
    const policy = policySummary(this.desktop.authorizer, this.caller, examples);
    const desktop = this.desktop.name;
    const told = findings.map((finding) => fixFor(desktop, finding));
    return { desktop, driver, capabilities, findings: told, ...(policy && { policy }) };
  }
}
