import { setTimeout as pause } from 'node:timers/promises';
import type { Screenshot } from '../../drivers/contract/index.js';
import { comparePixels, coversBox, unstableBoxes } from '../../imaging/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  type Box,
  boundingBox,
  contains,
  type Element,
  INTERACTIVE_ROLES,
  intersect,
  ITEM_ROLES,
  joinOverlapping,
  type Point,
  type Role,
  sameBox,
  TEXT_FIELD_ROLES,
  type WindowInfo,
} from '../../tree/index.js';
import type { ActionPlan, ActionReport } from '../act/action.js';
import { callRequest, targetFacts } from '../request/policy-request.js';
import { SCREENSHOT } from '../request/tool-traits.js';
import type { CallView } from '../visibility/call-view.js';
import type { ObservedChanges, UiState } from './ui-changes.js';

/** A picture is not worth more time than this. Without one, what was drawn stands in for it. */
const PICTURE_MS = 1_000;
/** A caret, a spinner: too small to hide an effect. What is larger and changes by itself makes the effect uncertain. */
const SMALL = 64 * 64;
/** A caret is a thin line. */
const CARET = { width: 4, height: 80 };
/** Toolkits draw the focus and the look under the pointer this far around an element: GTK 4 reports a button of 83 pixels as 51. */
const RIM = 18;
const MOST_BOXES = 4;
/** Two pictures this far apart show what moves. */
const FILM_MS = 120;
/** A drawing this short before the end of an act may be one of many. */
const STILL_DRAWING_MS = 120;

/** What happened apart from the tree. */
interface VisibleChanges {
  changed: 'yes' | 'no' | 'unknown';
  /** In our words, for `yes`: `pixels changed at 212,88 64x32`. */
  seen: string[];
  /** For `unknown`. */
  reason?: string;
}

interface WitnessedAct {
  plan: ActionPlan;
  report: ActionReport;
  outcome: ObservedChanges;
  /** Where the pointer was before the act moved it. */
  pointerWas: Point | undefined;
}

const UNCHANGED: VisibleChanges = { changed: 'no', seen: [] };
const CONTROLS: ReadonlySet<Role> = new Set<Role>([...INTERACTIVE_ROLES, ...ITEM_ROLES, 'cell', 'columnheader']);

/**
 * What an act changes although the tree stays the same: the pixels of its window, and the owner of the clipboard. The
 * picture from before the act is only compared, and only if the tree shows no change. It never leaves this process, and
 * none is taken of a window that policy does not allow pictures of; then the parts that were drawn stand in for it.
 */
export class VisibleWitness {
  private readonly began = performance.now();
  private habits: Box[];
  private picture?: Screenshot;
  /** Why there is no picture. */
  private readonly denied: boolean;

  private constructor(
    private readonly desktop: CallView,
    private readonly before: UiState,
    private readonly window: WindowInfo,
    caller: string,
  ) {
    this.habits = desktop.drawings.habits(window.id);
    this.denied = !mayCapture(desktop, caller, window);
  }

  /** Undefined if the act has no window that could be looked at. */
  static async begin(
    desktop: CallView,
    before: UiState,
    plan: ActionPlan,
    caller: string,
    deadline: Deadline,
  ): Promise<VisibleWitness | undefined> {
    const ref = plan.window?.ref;
    const { windows } = before;
    const window = windows.find((one) => (ref === undefined ? one.active : one.ref === ref));
    if (!window || !window.visible || window.minimised || !window.bounds) return undefined;
    const witness = new VisibleWitness(desktop, before, window, caller);
    if (!witness.denied) witness.picture = await witness.take(deadline);
    if (witness.picture && witness.films.length > 0) await witness.learnFilms(deadline);
    return witness;
  }

  /** Whether the window was drawn a moment ago, apart from what it draws all the time. */
  get isDrawing(): boolean {
    return this.drawnSince(performance.now() - STILL_DRAWING_MS).length > 0;
  }

  /** Call it when the tree shows no change. */
  async changes(act: WitnessedAct, deadline: Deadline): Promise<VisibleChanges> {
    const { drawings } = this.desktop;
    const copied = drawings.copiedSince(this.began, this.window.pid) ? ['the app took the clipboard'] : [];
    const pixels = await this.pixelChanges(act, deadline);
    if (copied.length === 0) return pixels;
    return { changed: 'yes', seen: [...pixels.seen, ...copied] };
  }

  end(): void {
    if (this.picture) this.desktop.driver.releaseScreenshot?.(this.picture);
    delete this.picture;
  }

  private async pixelChanges(act: WitnessedAct, deadline: Deadline): Promise<VisibleChanges> {
    const drawn = this.drawnSince(this.began);
    const elsewhere = this.drawnElsewhere(act.outcome);
    const now = act.outcome.after.windows.find(({ id }) => id === this.window.id);
    if (!now) return elsewhere ?? UNCHANGED;
    if (now.active !== this.window.active)
      return unknown(`${now.ref} ${now.active ? 'became' : 'is no longer'} the active window, which redraws it`);
    const after = this.picture && sameBox(now.bounds, this.window.bounds) ? await this.take(deadline) : undefined;
    const judged = after && this.judge(after, act);
    if (after) this.desktop.driver.releaseScreenshot?.(after);
    if (!judged) return this.fromDrawings(drawn, act.outcome) ?? elsewhere ?? UNCHANGED;
    return judged.changed === 'no' ? (elsewhere ?? judged) : judged;
  }

  /** Screen boxes of the pixels that differ, without small parts that change by themselves. */
  private compared(after: Screenshot, looks: readonly Box[] = []): Box[] | undefined {
    const { picture } = this;
    if (!picture || picture.origin.x !== after.origin.x || picture.origin.y !== after.origin.y) return undefined;
    const { x, y } = picture.origin;
    const masks = [...this.habits.filter(isSmall), ...looks].map((box) => ({ ...box, x: box.x - x, y: box.y - y }));
    return comparePixels(picture, after, { masks })?.boxes.map((box) => ({ ...box, x: box.x + x, y: box.y + y }));
  }

  /** What is drawn all the time and is large enough to hide an effect. */
  private get films(): Box[] {
    return this.habits.filter((box) => !isSmall(box));
  }

  /** GTK 4 draws far more than what changes. Only such windows wait for a second picture. */
  private async learnFilms(deadline: Deadline): Promise<void> {
    await pause(FILM_MS);
    const [first, second] = [this.picture!, await this.take(deadline)];
    if (!second) return;
    const { x, y } = first.origin;
    const moving = unstableBoxes([first, second]).map((box) => ({ ...box, x: box.x + x, y: box.y + y }));
    if (moving.length > 0) this.habits = [...this.habits.filter(isSmall), ...moving];
    this.desktop.driver.releaseScreenshot?.(first);
    this.picture = second;
  }

  private judge(after: Screenshot, act: WitnessedAct): VisibleChanges | undefined {
    const all = this.compared(after);
    const boxes = all && this.withoutCaret(all, act.outcome);
    if (!boxes) return undefined;
    if (boxes.length === 0) return UNCHANGED;
    const places = (some: Box[]): string => placesOf(this.withWholeSecrets(some, act.outcome));
    const effects = this.withoutCaret(this.compared(after, lookRegions(this.before, act))!, act.outcome);
    if (effects.length === 0)
      return unknown(
        `the tree did not change, and only the look of the target did (${places(boxes)}), as under the pointer or with the focus`,
      );
    const isRestless = (box: Box): boolean =>
      this.films.some((film) => intersect(film, box)) ||
      this.desktop.drawings.isRestless(this.window.id, box, this.began);
    const lasting = effects.filter((box) => !isRestless(box));
    if (lasting.length === 0)
      return unknown(`the tree did not change, and the window redraws itself all the time at ${places(effects)}`);
    return { changed: 'yes', seen: [`pixels changed at ${places(lasting)}`] };
  }

  /** Without a picture: what was drawn may look as before. */
  private fromDrawings(drawn: readonly Box[], outcome: ObservedChanges): VisibleChanges | undefined {
    const why = this.denied ? 'policy allows no picture of the window' : 'there is no picture to compare it with';
    const covered = this.isCovered();
    if (drawn.length > 0) {
      // The parts could show where another window is.
      const where = covered
        ? 'redrawn'
        : `redrawn at ${placesOf(this.withWholeSecrets(joinOverlapping(drawn), outcome))}`;
      return unknown(`the tree did not change; ${where}, and ${why}`);
    }
    if (this.reportsDrawing && !covered) return undefined;
    return unknown(`the tree did not change, but it is unknown whether the window did: ${why}`);
  }

  /** Other windows of the app that were there before and were drawn. A preview may be in them. */
  private drawnElsewhere({ after }: ObservedChanges): VisibleChanges | undefined {
    const { pid, id } = this.window;
    if (pid === undefined) return undefined;
    const drawn = after.windows.find((one) => {
      const was = this.before.windows.find((before) => before.id === one.id);
      if (one.id === id || one.pid !== pid || !one.visible || was?.active !== one.active) return false;
      const habits = this.desktop.drawings.habits(one.id);
      return this.desktop.drawings
        .since(one.id, this.began)
        .some((box) => !habits.some((part) => intersect(part, box)));
    });
    return drawn && unknown(`the tree did not change; ${drawn.ref} of the same app was redrawn`);
  }

  /** One thin line in a text is its caret, which blinks. Two are a caret that was moved. */
  private withoutCaret(boxes: Box[], { after }: ObservedChanges): Box[] {
    const fields = [...elementsOf(after)].flatMap(({ role, bounds, states }) =>
      bounds && (TEXT_FIELD_ROLES.has(role) || states.editable) ? [bounds] : [],
    );
    const isCaret = (box: Box): boolean =>
      box.width <= CARET.width && box.height <= CARET.height && fields.some((field) => coversBox(grown(field), box));
    return boxes.length === 1 && isCaret(boxes[0]!) ? [] : boxes;
  }

  /** The place in a secret field would reveal the length of its text. */
  private withWholeSecrets(boxes: Box[], { after }: ObservedChanges): Box[] {
    const { taint } = this.desktop.secrecy;
    const secrets = [this.before, after].flatMap((state) => {
      const own = [...elementsOf(state)].flatMap(({ states, bounds }) => (states.secret && bounds ? [bounds] : []));
      const root = state.snapshot.roots.find(({ ref }) => ref === this.window.ref);
      const typed = root && !taint.empty ? taint.redactionBoxes([root], this.window.id) : { boxes: [], whole: false };
      return [...own, ...typed.boxes, ...(typed.whole ? [this.window.bounds!] : [])];
    });
    return joinOverlapping(
      boxes.map((box) => boundingBox([box, ...secrets.filter((secret) => intersect(grown(secret), box))])),
    );
  }

  private drawnSince(at: number): Box[] {
    const drawn = this.desktop.drawings.since(this.window.id, at);
    return drawn.filter((box) => !this.habits.some((part) => isSmall(part) && coversBox(part, box)));
  }

  /** If nothing was drawn, nothing has changed. */
  private get reportsDrawing(): boolean {
    const { screenshot, events } = this.desktop.driver.describe().capabilities;
    return screenshot.can === 'yes' && events.can !== 'no';
  }

  /** Includes windows that policy hides. */
  private isCovered(): boolean {
    const { stack } = this.desktop.hiddenWindows;
    const at = stack.findIndex(({ id }) => id === this.window.id);
    if (at < 0) return true;
    return stack
      .slice(0, at)
      .some(
        ({ visible, minimised, bounds }) => visible && !minimised && bounds && intersect(bounds, this.window.bounds!),
      );
  }

  private async take(deadline: Deadline): Promise<Screenshot | undefined> {
    const { driver } = this.desktop;
    try {
      const options = { deadline: deadline.atMost(PICTURE_MS), passive: true };
      return await driver.screenshot?.({ window: this.window.id }, options);
    } catch (error) {
      // Covered, closing, or too slow. What was drawn stands in for the picture.
      if (error instanceof DesktopError) return undefined;
      throw error;
    }
  }
}

/** Whether policy allows pictures of this window without a question. */
function mayCapture(view: CallView, caller: string, window: WindowInfo): boolean {
  const facts = targetFacts({ verb: 'capture', needs: {}, window });
  const { answer, rule } = view.authorizer.decide(callRequest(SCREENSHOT, caller, { window: window.ref }), facts);
  return answer === 'allow' || (answer === 'ask' && view.agreed(rule, window.id));
}

/** Where only the look changes: under the pointer, where it was before, and where the focus was and is. */
function lookRegions(before: UiState, { plan, report, outcome, pointerWas }: WitnessedAct): Box[] {
  const regions = [...(outcome.focusMoved ?? [])];
  const target = plan.target ?? plan.lands?.target;
  if (report.method === 'input' && target)
    for (const part of [...target.path, target.element])
      if (part.bounds && (part === target.element ? CONTROLS.has(part.role) : ITEM_ROLES.has(part.role)))
        regions.push(part.bounds);
  if (pointerWas)
    for (const { role, bounds } of elementsOf(before))
      if (bounds && CONTROLS.has(role) && contains(bounds, pointerWas)) regions.push(bounds);
  return joinOverlapping(regions).map(grown);
}

function* elementsOf({ snapshot }: UiState): Generator<Element> {
  const open = [...snapshot.roots];
  for (let one = open.pop(); one; one = open.pop()) {
    yield one;
    open.push(...one.children);
  }
}

const unknown = (reason: string): VisibleChanges => ({ changed: 'unknown', seen: [], reason });
const isSmall = ({ width, height }: Box): boolean => width * height <= SMALL;
const grown = ({ x, y, width, height }: Box): Box => ({
  ...{ x: x - RIM, y: y - RIM },
  ...{ width: width + 2 * RIM, height: height + 2 * RIM },
});

/** `212,88 64x32` */
function placesOf(boxes: readonly Box[]): string {
  const shown = boxes.slice(0, MOST_BOXES).map(({ x, y, width, height }) => `${x},${y} ${width}x${height}`);
  const more = boxes.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
