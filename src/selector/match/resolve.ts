import { DesktopError } from '../../shared/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { Chain, Selector, Source } from '../ast.js';
import { type Confidence, confidenceOf, evidenceOf, type Stability } from './confidence.js';
import { ChainRun, type Found, type RunOptions } from './run-chain.js';
import { pathTo, type Scene } from './scene.js';
import { sourcesOf } from './step-traits.js';

export interface Match extends Confidence {
  element: Element;
  window: WindowInfo;
  /** From the window's root to its parent. */
  path: Element[];
  /** In pixels from its anchor, where a relation found it. */
  distance?: number;
}

export interface ResolveOptions extends RunOptions {
  /** The drivers that are there; absent: every one but OCR. */
  sources?: ReadonlySet<Source>;
  /** Something could not be read. */
  degraded?: boolean;
  /** How the element compares with the last look. */
  stability?(element: Element): Stability;
  /** Whether the pixels contradict the tree. */
  pixelsDisagree?(element: Element): boolean;
}

export interface Resolution {
  /** Folded; windows front to back, then tree order; after a relation by distance. */
  matches: Match[];
  /** Which alternative found them, or the last one that was looked for. */
  alternative: number;
  /** Alternatives that need a driver that is not there. */
  skipped: { alternative: number; source: Source }[];
}

/** Tries the alternatives in order. The next one is asked only when the former found nothing, never when it found many. */
export function resolve(selector: Selector, scene: Scene, options: ResolveOptions = {}): Resolution {
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

/** What one alternative finds, for callers that read what each needs only when its turn comes. */
export function resolveAlternative(
  { alternatives }: Selector,
  alternative: number,
  scene: Scene,
  options: ResolveOptions = {},
): Match[] {
  const run = new ChainRun(scene, options);
  const chain = alternatives[alternative]!;
  const found = run.find(chain);
  return found.map((one) => describe(one, found.length, chain, alternative > 0, run, options));
}

/** A driver that the chain asks and that is not there. */
export function missingSource(chain: Chain, sources: ResolveOptions['sources']): Source | undefined {
  return sourcesOf(chain).find((source) => (sources ? !sources.has(source) : source === 'ocr'));
}

/** Every alternative asks a driver that is not there. */
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
