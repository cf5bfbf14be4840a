import { type CaptureArea, requireCapability, type Screenshot } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Pixels, scaleImage } from '../../imaging/index.js';
import {
  describeTarget,
  type Box,
  type Element,
  type Point,
  sameBox,
  type Size,
  type WindowInfo,
} from '../../tree/index.js';
import { callRequest, targetFacts } from '../request/policy-request.js';
import { SCREENSHOT } from '../request/tool-traits.js';
import type { CallView } from '../visibility/call-view.js';
import { findTarget } from '../locate/target.js';
import { findWindow } from '../observe/window.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';
import { captureError } from './capture-errors.js';
import { paintBlack, type RedactedRegions } from './redact-pixels.js';

/** Attempts while secret fields move. After that, all their positions so far are blacked out. */
const TRIES = 4;
const LEAST_SCALE = 0.01;

interface Aimed {
  subject: Subject;
  area?: CaptureArea;
  /** In screen coordinates, if known. */
  box?: Box;
}

/**
 * The only way to pixels: finds the subject, authorizes, captures and redacts secrets. `develop` encodes the image while
 * the positions of secret fields are checked again: they nearly always still match, so neither waits for the other. If
 * they do not match, the encoded image is discarded.
 */
export async function takeCapture<T>(
  desktop: CallView,
  request: CaptureRequest,
  { caller, deadline }: { caller: string; deadline: Deadline },
  develop: (picture: Pixels) => Promise<T>,
): Promise<{ frame: Capture; developed: T }> {
  const { driver } = desktop;
  const screenshot = requireCapability(driver, 'screenshot');
  for (let left = TRIES; ; left -= 1) {
    const planned = await aim(desktop, request, deadline);
    const window = 'window' in planned.subject ? planned.subject.window : undefined;
    permit(desktop, caller, request, planned.subject);
    const before = await secretsIn(desktop, planned, window, deadline);
    const { revision: state, boxes: hidden } = desktop.hiddenWindows;
    const takenAt = new Date().toISOString();
    const taken = await screenshot(planned.area, { deadline, ...(request.cursor && { cursor: true }) }).catch(
      async (error: unknown) => {
        const { windows } = await desktop.listWindows(deadline);
        throw captureError(error, window, windows);
      },
    );
    paintBlack(taken, [...before.boxes, ...(window ? [] : hidden)]);
    const clean = sized(request, taken);
    const reading = readAgain(desktop, request, window, deadline);
    const developing = develop(clean);
    developing.catch(() => undefined); // The error is reported below, unless the second check fails first.
    const { again, after } = await reading;
    // A window that policy hides since then is in the image.
    const same = desktop.hiddenWindows.revision === state && sameBoxes(hidden, desktop.hiddenWindows.boxes);
    if (!same && left > 1) continue;
    if (!same) throw hiddenByPolicyError('A part of the picture');
    // Its title may have changed.
    permit(desktop, caller, request, again.subject);
    const still = sameBox(planned.box, again.box) && samePlaces(before, after);
    if (!still && left > 1) continue;
    if (!still && planned.subject.kind === 'element') throw moving(planned.subject);
    const about = { takenAt, origin: taken.origin, of: planned.subject };
    if (still) {
      const developed = await developing;
      desktop.driver.releaseScreenshot?.(taken);
      return { frame: finish(desktop, clean, about, after), developed };
    }
    await developing.catch(() => undefined); // It reads the pixels that are blacked out next.
    paintBlack(taken, after.boxes);
    const cleaner = sized(request, taken);
    const developed = await develop(cleaner);
    desktop.driver.releaseScreenshot?.(taken);
    return { frame: finish(desktop, cleaner, about, both(before, after)), developed };
  }
}

async function readAgain(
  desktop: CallView,
  request: CaptureRequest,
  window: WindowInfo | undefined,
  deadline: Deadline,
): Promise<{ again: Aimed; after: RedactedRegions }> {
  const again = await aim(desktop, request, deadline);
  return { again, after: await secretsIn(desktop, again, window, deadline) };
}

async function aim(desktop: CallView, request: CaptureRequest, deadline: Deadline): Promise<Aimed> {
  const { target, window, monitor, region } = request;
  const ways = [target ?? window, monitor, region].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw new DesktopError('bad_arguments', 'A picture is of one thing.', {
      hint: 'give a window or a target, a monitor, or a region.',
    });
  }
  if (target !== undefined) {
    const found = await findTarget(desktop, target, window, deadline);
    if (!found.element.ref.startsWith('w')) return aimAtElement(found);
    return aimAtWindow(found.window);
  }
  if (window !== undefined)
    return aimAtWindow(findWindow(desktop, (await desktop.listWindows(deadline)).windows, window));
  if (monitor !== undefined) return { subject: { kind: 'monitor', monitor }, area: { monitor } };
  if (region !== undefined) return { subject: { kind: 'region' }, area: region, box: region };
  return { subject: { kind: 'screen' } };
}

function aimAtWindow(window: WindowInfo): Aimed {
  const { id, bounds } = window;
  return { subject: { kind: 'window', window }, area: { window: id }, ...(bounds && { box: bounds }) };
}

function aimAtElement({
  window,
  element,
}: Extract<Subject, { kind: 'element' }> | Awaited<ReturnType<typeof findTarget>>): Aimed {
  const { bounds: box, states } = element;
  const subject: Subject = { kind: 'element', window, element };
  if (box && !states.offscreen && states.visible) return { subject, area: { window: window.id, part: box }, box };
  // The driver refuses a minimised window with a hint to restore it.
  if (window.minimised) return { subject, area: { window: window.id } };
  throw new DesktopError('not_ready', `${describeTarget(subject)} is not on the screen.`, {
    hint: `ui_act scroll_into_view ${element.ref} brings it there.`,
  });
}

/** Authorizes the subject of the screenshot. If a rule asks about its window, the user has approved it before. */
function permit(view: CallView, caller: string, request: CaptureRequest, subject: Subject): void {
  const window = 'window' in subject ? subject.window : undefined;
  const target = subject.kind === 'element' && {
    target: { window: subject.window, element: subject.element, path: [] },
  };
  const facts = targetFacts({ verb: 'capture', needs: {}, ...(window && { window }), ...target });
  const { answer, rule } = view.authorizer.decideOrRefuse(callRequest(SCREENSHOT, caller, { ...request }), facts);
  if (answer === 'allow' || view.agreed(rule, window?.id)) return;
  throw new DesktopError('approval_required', `A picture of this window needs the user's approval (rule ${rule}).`, {
    ...{
      retry: 'no',
      hint: 'read it instead: ui_snapshot; or the user writes a rule that allows it.',
      details: { rule },
    },
  });
}

async function secretsIn(desktop: CallView, planned: Aimed, only: WindowInfo | undefined, deadline: Deadline) {
  const { windows } = await desktop.listWindows(deadline);
  const concerned = only ? windows.filter(({ ref }) => ref === only.ref) : windows;
  return desktop.secrets.find(concerned, planned.box, deadline);
}

const sameBoxes = (a: readonly Box[], b: readonly Box[]): boolean =>
  a.length === b.length && a.every((box, at) => sameBox(box, b[at]));

function samePlaces(a: RedactedRegions, b: RedactedRegions): boolean {
  return a.boxes.length === b.boxes.length && a.boxes.every((box, at) => sameBox(box, b.boxes[at]));
}

function both(a: RedactedRegions, b: RedactedRegions): RedactedRegions {
  return { boxes: [...a.boxes, ...b.boxes], silent: [...new Set([...a.silent, ...b.silent])] };
}

interface Sized extends Pixels {
  scale: number;
}

function sized({ maxSize = 0, scale: wanted }: CaptureRequest, taken: Screenshot): Sized {
  const longest = Math.max(taken.width, taken.height);
  const scale = Math.max(LEAST_SCALE, wanted ?? (maxSize > 0 ? Math.min(1, maxSize / longest) : 1));
  const width = Math.max(1, Math.round(taken.width * scale));
  const height = Math.max(1, Math.round(taken.height * scale));
  const small = width < taken.width || height < taken.height;
  return { width, height, scale: small ? scale : 1, rgba: small ? scaleImage(taken, width, height) : taken.rgba };
}

function finish(
  desktop: CallView,
  { width, height, scale }: Sized,
  about: Pick<Capture, 'takenAt' | 'origin' | 'of'>,
  { boxes, silent }: RedactedRegions,
): Capture {
  const id = desktop.captures.nextId();
  const size = { width, height, scale };
  const frame: Capture = { id, ...about, ...size, space: 'screen', redactions: boxes.length, uncheckedWindows: silent };
  desktop.captures.keep(frame);
  return frame;
}

function moving(subject: Extract<Subject, { kind: 'element' }>): DesktopError {
  return new DesktopError('not_ready', `${describeTarget(subject)} is moving.`, {
    hint: 'wait until it stands still.',
  });
}

/** The subject of a screenshot: one of these, or none for the whole screen. `window` may be combined with `target`. */
export interface CaptureRequest {
  target?: string;
  window?: string;
  /** Counted from 1. */
  monitor?: number;
  region?: { x: number; y: number; width: number; height: number };
  cursor?: boolean;
  /** Longest side of the image, which is scaled down to fit. 0: original size. */
  maxSize?: number;
  /** Scale factor, 0.1 to 1, independent of the size. */
  scale?: number;
}

/** What a screenshot shows and where. Width and height are those of the image. */
export interface Capture extends Size {
  /** `c3`. */
  id: string;
  takenAt: string;
  /** Screen position of its upper left pixel. */
  origin: Point;
  /** Image pixels per screen pixel. */
  scale: number;
  space: 'screen';
  of: Subject;
  /** Number of secret fields that were blacked out. */
  redactions: number;
  /** Refs of windows in the image that could not be checked for secret fields. */
  uncheckedWindows: string[];
}

type Subject =
  | { kind: 'screen' }
  | { kind: 'monitor'; monitor: number }
  | { kind: 'region' }
  | { kind: 'window'; window: WindowInfo }
  | { kind: 'element'; window: WindowInfo; element: Element };
