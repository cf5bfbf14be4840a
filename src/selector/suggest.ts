import { ITEM_ROLES, STRUCTURE_ROLES, type Element, type WindowInfo } from '../tree/index.js';
import { combine, type Chain, type MatchStep, type Selector, type Step, type Term } from './ast.js';
import { printSelector } from './syntax/print.js';
import { readCellAddress } from './syntax/text.js';
import { readableLabel, sameLabel } from './match/text-match.js';
import { statePredicate } from './match/predicates.js';
import { ChainRun } from './match/run-chain.js';
import type { Place, ElementIndex } from './match/scene.js';

export type SuggestedBy = 'id' | 'address' | 'name' | 'item' | 'label' | 'role' | 'position';

interface Suggestion {
  /** Matches exactly this element now. */
  selector: string;
  by: SuggestedBy;
}

/** For a longer name, only its start is quoted. */
const MAX_NAME = 60;
/** Number of elements that are tried by position. */
const MAX_POSITIONS = 500;
/** Ids that a program generated for this run only. */
export const GENERATED_ID = /\d{4,}|[0-9a-f]{8}|^[:_]|^\d/i;

/**
 * The shortest selector that is unique now and likely to stay so: an id, else role and name, in its app, with as much
 * context as needed. By position only if nothing else distinguishes it. Undefined: the element is not in this scene.
 * `unread` are open windows that are not in the scene: the selector must not match elements in them.
 */
export function suggest(
  element: Element,
  scene: ElementIndex,
  unread: readonly WindowInfo[] = [],
): Suggestion | undefined {
  const place = scene.placeOf(element);
  if (!place) return undefined;
  const run = new ChainRun(scene);
  const outer = outerSteps(place, scene, unread);
  for (const { by, own } of ownSelectors(place, unread)) {
    for (const scope of scopes(place, by, outer)) {
      const found = unique({ steps: [...scope, own] }, place, run);
      if (found !== undefined) return { selector: found, by: scope.some(looksInside) ? 'item' : by };
    }
  }
  return byLabel(place, scene, run, outer) ?? byPosition(place, run, outer);
}

/** Where a selector starts, shortest first: the app, its window by title, its window by ref. */
function outerSteps({ window }: Place, scene: ElementIndex, unread: readonly WindowInfo[]): Step[][] {
  const { app, title, ref } = window;
  const steps: Step[][] = [];
  if (app !== '' && !unread.some((other) => sameLabel(other.app, app))) {
    steps.push([{ kind: 'match', term: text('app', app) }]);
  }
  // A title that matches two windows is refused, wherever the element is.
  const others = [...scene.windows.filter((other) => other !== window), ...unread];
  if (title !== '' && !others.some((other) => sameLabel(other.title, title))) {
    steps.push([{ kind: 'match', term: text('window', title) }]);
  }
  if (steps.length === 0) steps.push(others.length > 0 ? [{ kind: 'match', term: { kind: 'ref', ref } }] : []);
  return steps;
}

function unique(chain: Chain, place: Place, run: ChainRun): string | undefined {
  const found = run.find(chain);
  return found.length === 1 && found[0]!.place === place ? print(chain) : undefined;
}

function print(chain: Chain): string {
  const selector: Selector = { alternatives: [chain] };
  return printSelector(selector);
}

const text = (key: Extract<Term, { kind: 'text' }>['key'], value: string): Term => ({
  kind: 'text',
  key,
  op: '=',
  value,
});
const role = ({ element }: Place): Term => ({ kind: 'role', op: '=', roles: [element.role] });

function step(place: Place, ...terms: Term[]): MatchStep {
  const hidden: Term[] = !place.hidden ? [] : [{ kind: 'state', key: 'visible', op: '=', value: false }];
  return { kind: 'match', term: combine('and', [...terms, ...hidden]) };
}

/** Properties of the element itself, most durable first. */
function ownSelectors(place: Place, unread: readonly WindowInfo[]): { by: SuggestedBy; own: MatchStep }[] {
  const { automationId } = place.element.platformIds;
  const address = place.element.cell?.address;
  const forms: { by: SuggestedBy; own: MatchStep }[] = [];
  const byId = automationId ? { by: 'id' as const, own: step(place, text('automationId', automationId)) } : undefined;
  const { title } = place.window;
  if (!place.parent && title !== '' && !unread.some((other) => sameLabel(other.title, title))) {
    forms.push({ by: 'name', own: step(place, text('window', title)) });
  }
  if (byId && !GENERATED_ID.test(automationId!)) forms.push(byId);
  if (address !== undefined && readCellAddress(address) === address) {
    forms.push({ by: 'address', own: step(place, { kind: 'cell', address }) });
  }
  const name = nameTerm(place.element);
  if (name) forms.push({ by: 'name', own: step(place, role(place), name) });
  // By its content and not by its first text as a name: that stops matching once another element really has that name.
  else if (ITEM_ROLES.has(place.element.role)) {
    forms.push(...byContent(place, place).map((own) => ({ by: 'item' as const, own })));
  }
  forms.push({ by: 'role', own: step(place, role(place)) });
  const editable = statePredicate('editable').state(place.element);
  // Among fields without names, often one is editable and the other is not.
  if (typeof editable === 'boolean') {
    forms.push({
      by: 'role',
      own: step(place, role(place), { kind: 'state', key: 'editable', op: '=', value: editable }),
    });
  }
  if (byId && GENERATED_ID.test(automationId!)) forms.push(byId);
  return forms;
}

function nameTerm({ name = '' }: Element): Term | undefined {
  const readable = readableLabel(name);
  if (readable === '') return undefined;
  if (readable.length <= MAX_NAME) return text('name', readable);
  const start = readable
    .slice(0, MAX_NAME)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return { kind: 'text', key: 'name', op: '^=', value: start };
}

/** From the app inwards. A role alone is weak, so it is first combined with close ancestors. */
function scopes(place: Place, by: SuggestedBy, outer: readonly Step[][]): Step[][] {
  if (!place.parent) return [[]];
  const named = ancestorSteps(place);
  const inside = outer.map((steps) => named.map((one) => [...steps, one]));
  if (by === 'role') return [...inside.flat(), ...outer];
  return outer.flatMap((steps, at) => [steps, ...inside[at]!]);
}

/** Named ancestors, innermost first; a row without a name is identified by its content. */
function ancestorSteps(place: Place): MatchStep[] {
  const steps: MatchStep[] = [];
  for (let ancestor = place.parent; ancestor?.parent; ancestor = ancestor.parent) {
    const name = nameTerm(ancestor.element);
    if (name) steps.push(step(ancestor, role(ancestor), name));
    else if (ITEM_ROLES.has(ancestor.element.role)) steps.push(...byContent(ancestor, place));
  }
  return steps.sort((a, b) => Number(isStructure(a)) - Number(isStructure(b)));
}

function isStructure({ term }: MatchStep): boolean {
  return (
    term.kind === 'and' && term.terms[0]!.kind === 'role' && term.terms[0]!.roles.every((r) => STRUCTURE_ROLES.has(r))
  );
}

function byContent(item: Place, target: Place): MatchStep[] {
  const names = namesIn(item.element, target.element).slice(0, 3);
  return names.map((name) => {
    const inner: Chain = { steps: [{ kind: 'match', term: text('name', name) }] };
    return step(item, role(item), { kind: 'has', chain: inner });
  });
}

function namesIn(element: Element, except: Element): string[] {
  return element.children.flatMap((child) => {
    if (child === except) return [];
    const own = readableLabel(child.name ?? '');
    return [...(own !== '' && own.length <= MAX_NAME && child.states.visible ? [own] : []), ...namesIn(child, except)];
  });
}

function looksInside(one: Step): boolean {
  return one.kind === 'match' && one.term.kind === 'and' && one.term.terms.some((term) => term.kind === 'has');
}

/** A field beside a label: `"Total" >> right-of >> role=textbox`. */
function byLabel(
  place: Place,
  scene: ElementIndex,
  run: ChainRun,
  [outer = []]: readonly Step[][],
): Suggestion | undefined {
  if (!place.element.bounds || !place.parent) return undefined;
  const labels = nearbyLabels(place, scene).filter(({ element }) => element.bounds && nameTerm(element));
  // An element with another name that appears there later must not match.
  const name = nameTerm(place.element);
  const own = step(place, role(place), ...(name ? [name] : []));
  for (const label of labels) {
    const anchor = step(label, role(label), nameTerm(label.element)!);
    for (const relation of ['right-of', 'below'] as const) {
      const chain: Chain = { steps: [...outer, anchor, { kind: 'relation', relation }, own] };
      const found = unique(chain, place, run);
      if (found !== undefined) return { selector: found, by: 'label' };
    }
  }
  return undefined;
}

const MAX_LABELS = 8;
const LABEL_ROLES = new Set(['label', 'text', 'heading', 'caption']);

/** Labels in the same box or the box around it, nearest in the tree first. */
function nearbyLabels(place: Place, scene: ElementIndex): Place[] {
  const box = place.parent?.parent ?? place.parent!;
  const labels = scene.inside(box).filter(({ element }) => LABEL_ROLES.has(element.role));
  return labels.sort((a, b) => Math.abs(a.order - place.order) - Math.abs(b.order - place.order)).slice(0, MAX_LABELS);
}

function byPosition(place: Place, run: ChainRun, outer: readonly Step[][]): Suggestion | undefined {
  const name = nameTerm(place.element);
  const own = step(place, role(place), ...(name ? [name] : []));
  // The order of windows changes with every click, so a position counts within one window.
  for (const scope of scopes(place, 'role', [...outer].reverse())) {
    const steps: Step[] = [...scope, own];
    const index = run.find({ steps }).findIndex((found) => found.place === place);
    if (index < 0 || index > MAX_POSITIONS) continue;
    const found = unique({ steps: [...steps, { kind: 'nth', index }] }, place, run);
    if (found !== undefined) return { selector: found, by: 'position' };
  }
  const ref = unique({ steps: [{ kind: 'match', term: { kind: 'ref', ref: place.element.ref } }] }, place, run);
  return ref === undefined ? undefined : { selector: ref, by: 'position' };
}
