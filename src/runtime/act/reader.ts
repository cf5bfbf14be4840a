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
  /** The rows that were actually read. */
  span: Span;
  total: number;
  table?: TableInfo;
}

/** The capabilities of a desktop: those that work, those that are missing with the fix, and what its policy allows. */
export interface Capabilities {
  desktop: string;
  driver: Pick<DriverDescription, 'kind' | 'name' | 'version' | 'experimental'>;
  capabilities: Record<Capability, CapabilityState>;
  findings: Finding[];
  policy?: PolicySummary;
}

/** The matches of a selector, with its text as the caller wrote it. */
export interface SelectorSearch extends Search {
  selector: Selector;
  text: string;
  within?: string;
}

const WHOLE_TEXT = 1_000_000;

/** A tool's read access to a desktop for one call. It cannot change anything. */
export class Reader {
  constructor(
    private readonly view: CallView,
    private readonly deadline: Deadline,
    private readonly caller: string,
    private readonly onProgress?: (elementsRead: number) => void,
  ) {}

  windows(): Promise<WindowList> {
    return this.view.listWindows(this.deadline);
  }

  async window(which: string): Promise<WindowInfo> {
    return findWindow(this.view, (await this.windows()).windows, which);
  }

  /** The named window; without a name, the active one. */
  async activeWindow(which?: string): Promise<WindowInfo> {
    if (which !== undefined) return this.window(which);
    const active = (await this.windows()).windows.find((window) => window.active);
    if (active) return active;
    if (this.view.hiddenWindows.hidesActive) throw hiddenByPolicyError('The keyboard focus');
    throw new DesktopError('element_not_found', 'No window is active now.', { hint: 'Name a window: window w2.' });
  }

  /** Throws if an open menu of another app receives the keys instead of this window. */
  noMenuElsewhere(window: WindowInfo): Promise<void> {
    return refuseForeignMenu(this.view, window, this.deadline);
  }

  /** The window in front at this point. */
  async windowAt(point: Point): Promise<WindowInfo | undefined> {
    const { windows } = await this.windows();
    refuseHidden(this.view, point);
    return windows.find(({ visible, minimised, bounds }) => visible && !minimised && bounds && contains(bounds, point));
  }

  /** The hit target at a point. Rules are about the element that is clicked, however the call names it. */
  async under(point: Point): Promise<HitTestResult> {
    const window = await this.windowAt(point);
    if (!window || !this.view.driver.atPoint) return window ? { window } : {};
    try {
      const target = await this.atPoint(point, { depth: 0 });
      if (!target) return { window };
      return { window: target.window, lands: { target: { ...target, how: 'point' } } };
    } catch (error) {
      // The element is unknown, and rules treat it as any element.
      if (error instanceof DesktopError) return { window, lands: {} };
      throw error;
    }
  }

  /** The same plan with the current ancestors of its targets. */
  pathsNow(plan: ActionPlan): Promise<ActionPlan> {
    return refreshPaths(this.view, plan, this.deadline);
  }

  takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
    return takeSnapshot(this.view, options, { deadline: this.deadline, onProgress: this.onProgress });
  }

  /** A snapshot of one part: the target and its descendants. */
  async snapshotOf(target: string, options: SnapshotOptions): Promise<Snapshot> {
    const { window, element } = await this.target(target, options.window);
    if (element.ref.startsWith('w')) return this.takeSnapshot({ ...options, window: element.ref });
    const { full, maxNodes } = options;
    try {
      const read = { full, maxNodes, deadline: this.deadline, onProgress: this.onProgress };
      const answer = await requireCapability(this.view.driver, 'read')({ element: element.id }, read);
      return elementSnapshot(this.view, window, answer);
    } catch (error) {
      throw withWindowContext(error, window);
    }
  }

  /** One of the last snapshots. */
  snapshot(id: string): Snapshot {
    return this.view.snapshot(id);
  }

  target(target: string, window?: string, read?: TargetRead): Promise<Target> {
    return findTarget(this.view, target, window, this.deadline, read);
  }

  /** All matches of a selector. Without a match it throws an error that names the closest elements. */
  async find(text: string, options: SearchOptions): Promise<SelectorSearch> {
    const search = await this.search(text, options);
    if (search.matches.length > 0) return search;
    throw await this.missed(search);
  }

  /** The same, but an empty result is not an error. */
  async search(text: string, options: SearchOptions): Promise<SelectorSearch> {
    const selector = parseSelector(text);
    const call = { deadline: this.deadline, onProgress: this.onProgress };
    return { ...(await findElements(this.view, selector, options, call)), selector, text, within: options.within };
  }

  /** The error for a search that found nothing. */
  missed(search: SelectorSearch): Promise<DesktopError> {
    const { selector, text, within } = search;
    return notFound(this.view, { selector, text, window: within }, search, { deadline: this.deadline });
  }

  /** Whether the selector matches a visible element. */
  async shows(text: string, within?: string): Promise<boolean> {
    const options = { shown: true, ...(within !== undefined && { within }) };
    const { matches } = await findElements(this.view, parseSelector(text), options, { deadline: this.deadline });
    return matches.length > 0;
  }

  /** A selector for the target that is unique now and likely to stay unique. */
  lastingSelector(target: Target): Promise<SuggestedSelector | undefined> {
    return suggestSelector(this.view, target, { deadline: this.deadline });
  }

  async atPoint(point: Point, read: TargetRead): Promise<Target | undefined> {
    const { driver } = this.view;
    const found = await requireCapability(driver, 'atPoint')(point, { deadline: this.deadline });
    if (!found) return undefined;
    return foundTarget(this.view, found, (await this.windows()).windows, this.deadline, read);
  }

  async text({ element, window }: Target, span: { start: number; end: number }): Promise<TextAnswer> {
    const { driver } = this.view;
    try {
      return await requireCapability(driver, 'text')(element.id, span, { deadline: this.deadline });
    } catch (error) {
      throw withWindowContext(error, window);
    }
  }

  /** The whole text, unless it is too long to be compared; undefined if it has no readable text. */
  async wholeText(target: Target): Promise<string | undefined> {
    const { driver } = this.view;
    if (!driver.text) return target.element.value === undefined ? undefined : String(target.element.value);
    try {
      return (await this.text(target, { start: 0, end: WHOLE_TEXT })).text;
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'not_supported') return undefined;
      throw error;
    }
  }

  /** The text of a field and its caret; undefined if either is not exposed. */
  async held(target: Target): Promise<TextBefore | undefined> {
    const { driver } = this.view;
    const caret = await driver.caret?.(target.element.id, { deadline: this.deadline });
    const text = caret && (await this.wholeText(target));
    return caret && text !== undefined && text.length < WHOLE_TEXT ? { text, ...caret } : undefined;
  }

  /** Whether acts may use mouse and keyboard at all. */
  get hasInput(): boolean {
    return this.view.driver.describe().capabilities.input.can !== 'no';
  }

  async range({ element, window }: Target, request: RangeRequest): Promise<Rows> {
    const { driver, refs, snapshots } = this.view;
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

  /** A screenshot with secret areas painted over, and the result of `develop`. */
  capture<T>(
    request: CaptureRequest,
    develop: (screenshot: Pixels) => Promise<T>,
  ): Promise<{ frame: Capture; developed: T }> {
    return takeCapture(this.view, request, { caller: this.caller, deadline: this.deadline }, develop);
  }

  /** Writes a screenshot to a file; the desktop chooses its location. */
  writeCapture(id: string, bytes: Buffer, extension: string): Promise<string> {
    return this.view.captures.write(id, bytes, extension);
  }

  /** The screen position of a point in one of the last screenshots. */
  async pointInCapture(id: string, point: Point): Promise<Point> {
    return pointOnScreen(this.view.captures.get(id), id, point, (await this.windows()).windows);
  }

  /** Waits until the condition holds. After the timeout, returns the last evaluation. */
  waitFor(condition: Condition, options: WaitOptions): Promise<WaitOutcome> {
    return waitFor(this.view, condition, options, { deadline: this.deadline });
  }

  /** Whether the condition holds now. */
  evaluate(condition: Condition, within?: string): Promise<WaitOutcome> {
    return evaluateNow(this.view, condition, within, { deadline: this.deadline });
  }

  /** The program that a command would start; undefined if there is none, or if nothing may be started. */
  resolveCommand(command: string, args: readonly string[]): ResolvedCommand | undefined {
    return this.view.resolveCommand?.(command, args);
  }

  /** The events since this caller's last call. */
  eventsSince(wanted: (event: DesktopEvent) => boolean): Since {
    return this.view.events.since(this.caller, (event) => wanted(event) && this.view.hears(event));
  }

  /** What policy would decide about a call. Nothing is done, asked or counted. */
  previewDecision(tool: Tool, call: Parameters<typeof previewDecision>[2]): Promise<DecisionPreview> {
    return previewDecision(this.view, tool, call, this);
  }

  /** `examples`: one tool of each class, for the summary of the policy. */
  async capabilities(examples: ClassExamples): Promise<Capabilities> {
    const { kind, name, version, experimental, capabilities } = this.view.driver.describe();
    const found = await this.view.driver.doctor({ deadline: this.deadline });
    const findings = [...userInputFindings(this.view), ...(await visibleFindings(this.view, found, this.deadline))];
    const driver = { kind, name, version, ...(experimental && { experimental }) };
    const policy = policySummary(this.view.authorizer, this.caller, examples);
    const desktop = this.view.name;
    const withFixes = findings.map((finding) => fixFor(desktop, finding));
    return { desktop, driver, capabilities, findings: withFixes, ...(policy && { policy }) };
  }
}
