import { DesktopError } from '../../shared/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { Chain, Selector, Source } from '../ast.js';
import { type Confidence, confidenceOf, evidenceOf, type Stability } from './confidence.js';
import { ChainRun, type Found, type RunOptions } from './run-chain.js';
import { pathTo, type ElementIndex } from './scene.js';
import { sourcesOf } from './matches.js';

export interface Match extends Confidence {
  element: Element;
  window: WindowInfo;
  /** From the window's root to its parent. */
  path: Element[];
  /** Pixels from its anchor, if a relation found it. */
  distance?: number;
}

export interface ResolveOptions extends RunOptions {
  /** The available drivers; absent: all except OCR. */
  sources?: ReadonlySet<Source>;
  /** Something could not be read. */
  degraded?: boolean;
  /** How the element compares with the last snapshot. */
  stability?(element: Element): Stability;
  /** Whether the pixels contradict the tree. */
  pixelsDisagree?(element: Element): boolean;
}

export interface Resolution {
  /** Folded; windows front to back, then tree order; after a relation by distance. */
  matches: Match[];
  /** The alternative that found them, or the last one that was tried. */
  alternative: number;
  /** Alternatives that need a driver that is not available. */
  skipped: { alternative: number; source: Source }[];
}

/**
 * Tries the alternatives in order. The next one is tried only if the previous one found nothing, never if it found
 * several.
 * @internal Tests only: the runtime reads what each alternative needs in its turn.
 */
export function resolve(selector: Selector, scene: ElementIndex, options: ResolveOptions = {}): Resolution {
  const skipped: Resolution['skipped'] = [];
  let last = 0;
  for (const [alternative, chain] of selector.alternatives.entries()) {
    const source = missingSource(chain, options.sources);
    if (source !== undefined) {
      skipped.push({ alternative, source });
      continue;
    }
    last = alternative;
    const matches = resolveAlternative(selector, alternative, scene, options);
    if (matches.length > 0) return { matches, alternative, skipped };
  }
  if (skipped.length === selector.alternatives.length) throw noDriver(skipped);
  return { matches: [], alternative: last, skipped };
}

/** The matches of one alternative, for callers that read what each alternative needs only when its turn comes. */
export function resolveAlternative(
  { alternatives }: Selector,
  alternative: number,
  scene: ElementIndex,
  options: ResolveOptions = {},
): Match[] {
  const run = new ChainRun(scene, options);
  const chain = alternatives[alternative]!;
  const found = run.find(chain);
  return found.map((one) => describe(one, found.length, chain, alternative > 0, run, options));
}

/** A driver that the chain needs and that is not available. */
export function missingSource(chain: Chain, sources: ResolveOptions['sources']): Source | undefined {
  return sourcesOf(chain).find((source) => (sources ? !sources.has(source) : source === 'ocr'));
}

/** The error if every alternative needs a driver that is not available. */
export function noDriver(skipped: Resolution['skipped']): DesktopError {
  const names = [...new Set(skipped.map(({ source }) => source))];
  return new DesktopError('not_supported', `This desktop has no ${names.join(' and no ')} driver.`, {
    hint: `Leave the prefix ${names[0]}: out, or add an alternative: … ?? "Save".`,
    retry: 'no',
    details: { missing: names },
  });
}

function describe(
  found: Found,
  count: number,
  chain: Chain,
  fallback: boolean,
  run: ChainRun,
  options: ResolveOptions,
): Match {
  const { place, distance } = found;
  const { element, window } = place;
  const certainty = confidenceOf(evidence(found, run), {
    matches: count,
    anchor: found.anchor && evidence(found.anchor, run),
    byPosition: chain.steps.at(-1)!.kind === 'nth',
    fallback,
    stability: options.stability?.(element),
    degraded: options.degraded,
    pixelsDisagree: options.pixelsDisagree?.(element),
  });
  return { element, window, path: pathTo(place), ...(distance !== undefined && { distance }), ...certainty };
}

function evidence({ place, step }: Found, run: ChainRun): ReturnType<typeof evidenceOf> {
  const byFirstWords = !run.fits(place, step);
  return evidenceOf(step.term, place.element, { ...run.contextOf(place), byFirstWords });
}
