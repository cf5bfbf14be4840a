import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DesktopError } from '../shared/index.js';
import { box, el, win } from '../tree/goldens/build.js';
import { accessibleName, type Element, type Role } from '../tree/index.js';
import type { Chain, MatchStep, Selector } from './ast.js';
import { nearMisses } from './match/near-misses.js';
import { sameLabel } from './match/text-match.js';
import { resolve } from './match/resolve.js';
import { ChainRun } from './match/run-chain.js';
import { ElementIndex, type Place } from './match/scene.js';
import { leaves, meansWindows } from './match/matches.js';
import { suggest } from './suggest.js';
import { parseSelector } from './syntax/parse.js';

const ROLES: Role[] = ['button', 'label', 'group', 'textbox', 'row', 'cell', 'region', 'list', 'togglebutton', 'table'];
const NAMES = ['Save', 'save…', 'Open', 'A "b"', '>>', '', '', 'e12', 'Total:'];

interface Twig {
  role: Role;
  name: string;
  at: number;
  visible: boolean;
  children: Twig[];
}

function twig(depth: number): fc.Arbitrary<Twig> {
  return fc.record({
    role: fc.constantFrom(...ROLES),
    name: fc.constantFrom(...NAMES),
    at: fc.nat(9),
    visible: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    children: depth === 0 ? fc.constant([]) : fc.array(twig(depth - 1), { maxLength: 3 }),
  });
}

const TREES = fc.array(twig(2), { minLength: 1, maxLength: 4 });

function grow(twigs: Twig[], from = 0): Element[] {
  let count = from;
  const made = ({ role, name, at, visible, children }: Twig): Element => {
    const ref = `e${++count}`;
    const states = { visible, ...(role === 'togglebutton' && { checked: at % 2 === 0 }) };
    const table = role === 'table' && { table: { rows: 3, columns: 3 } };
    const cell = role === 'cell' && { cell: { row: 1 + (at % 3), column: 2 } };
    const given = { ...(name && { name }), ...box((at % 5) * 40, count * 12, 30, 20), states, ...table, ...cell };
    return el(ref, role, given, children.map(made));
  };
  return twigs.map(made);
}

const sceneWith = (children: Element[], more: { app: string; children: Element[] }[] = []): ElementIndex =>
  new ElementIndex([
    { window: win('w1', 'Top', 'app'), root: el('w1', 'window', { name: 'Top' }, children) },
    ...more.map(({ app, children: others }, at) => {
      const ref = `w${at + 2}`;
      return { window: win(ref, app, app), root: el(ref, 'window', { name: app }, others) };
    }),
  ]);

function only(selector: Selector, scene: ElementIndex): Element | undefined {
  const { matches } = resolve(selector, scene);
  return matches.length === 1 ? matches[0]!.element : undefined;
}

const ATOMS = [
  'role=button',
  'role=group',
  'role=cell',
  'role!=label',
  '"Save"',
  'Open',
  'name~=a',
  'name^="sa"',
  'name$="b\\""',
  '~*v*',
  '/o|e/i',
  'name=""',
  'visible=false',
  'checked=true',
  'enabled!=true',
  'button:Save',
  'cell:R2C2',
  '@e3',
  'window=Top',
  'app=app',
  'textbox:"Total"',
];
const STEPS = fc.oneof(
  fc.constantFrom(...ATOMS),
  fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...ATOMS)).map(([a, b]) => `${a} && ${b}`),
  fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...ATOMS)).map(([a, b]) => `(${a} || ${b})`),
  fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...ATOMS)).map(([a, b]) => `${a} && !${b}`),
  fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...ATOMS)).map(([a, b]) => `${a} && has(${b})`),
  fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...ATOMS)).map(([a, b]) => `!has(${a} >> ${b})`),
);
const JOINTS = fc.constantFrom(
  '>>',
  '>>',
  '>> nth=1 >>',
  '>> right-of >>',
  '>> below(90) >>',
  '>> above >>',
  '>> near(70) >>',
  '>> inside >>',
);
const ENDS = fc.constantFrom('', '', '', ' >> nth=0', ' >> nth=-1');
const SELECTORS: fc.Arbitrary<Selector> = fc
  .tuple(STEPS, fc.array(fc.tuple(JOINTS, STEPS), { maxLength: 2 }), ENDS)
  .map(([first, more, end]) => parseSelector([first, ...more.flat()].join(' ') + end));

it('resolve and nearMisses return for any selector on any tree', () => {
  const holds = (selector: Selector, tree: Twig[]): void => {
    const scene = sceneWith(grow(tree));
    try {
      for (const { confidence, element } of resolve(selector, scene).matches) {
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(scene.placeOf(element)).toBeDefined();
      }
      expect(nearMisses(selector, scene).length).toBeLessThanOrEqual(5);
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
    }
  };
  fc.assert(fc.property(SELECTORS, TREES, holds), { numRuns: 2_000 });
}, 120_000);

it('a suggestion finds its own element, and is not by position if the name is unique', () => {
  const holds = (tree: Twig[]): void => {
    const scene = sceneWith(grow(tree));
    for (const { element } of scene.places) {
      const { selector, by } = suggest(element, scene)!;
      expect(only(parseSelector(selector), scene), selector).toBe(element);
      const sameName = scene.places.filter((place) => sameLabel(place.element.name ?? '', element.name ?? ''));
      if (element.name && element.states.visible && sameName.length === 1) expect(by, selector).not.toBe('position');
    }
  };
  fc.assert(fc.property(TREES, holds), { numRuns: 400 });
}, 120_000);

/** Every match step, including those inside `has`. */
function matchSteps({ steps }: Chain): MatchStep[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'match') return [];
    return [step, ...leaves(step.term).flatMap((leaf) => (leaf.kind === 'has' ? matchSteps(leaf.chain) : []))];
  });
}

/** No condition of the selector, at any step, holds for it. */
function isUnrelated({ alternatives }: Selector, place: Place, scene: ElementIndex): boolean {
  const run = new ChainRun(scene);
  return alternatives
    .flatMap(matchSteps)
    .every((step) => (meansWindows(step) && place.parent !== undefined) || !run.fits(place, step));
}

/** The tree with one more element: beside the others, or around one of them. */
function withOneMore(children: readonly Element[], at: number, added: Element, around: boolean): Element[] {
  let count = -1;
  const walk = (elements: readonly Element[]): Element[] =>
    elements.flatMap((element) => {
      const here = ++count === at;
      const inner = { ...element, children: walk(element.children) };
      if (!here) return [inner];
      return around ? [{ ...added, children: [inner] }] : [{ ...inner, children: [added, ...inner.children] }];
    });
  const grown = walk(children);
  return at > count ? [...grown, added] : grown;
}

const STRANGER = fc.record({ tree: twig(0), at: fc.nat(40), around: fc.boolean(), elsewhere: fc.boolean() });

function unchangedBy(
  selector: Selector,
  tree: Twig[],
  stranger: typeof STRANGER extends fc.Arbitrary<infer T> ? T : never,
): boolean {
  const scene = sceneWith(grow(tree));
  const before = only(selector, scene);
  if (!before) return false;
  const { at, around, elsewhere } = stranger;
  // A hidden element around others hides them, so it is not unrelated.
  const [added] = grow([{ ...stranger.tree, visible: stranger.tree.visible || around }], 1_000);
  const wider = elsewhere
    ? sceneWith(grow(tree), [{ app: 'other', children: [added!] }])
    : sceneWith(withOneMore(grow(tree), at, added!, around));
  const strangers = wider.places.filter(({ element }) => element.ref === 'e1001' || element.ref === 'w2');
  if (!strangers.every((place) => isUnrelated(selector, place, wider))) return false;
  // A text in a button without a name gives the button its name, so it is not unrelated.
  const names = new Map(wider.places.map(({ element }) => [element.ref, accessibleName(element)]));
  if (scene.places.some(({ element }) => names.get(element.ref) !== accessibleName(element))) return false;
  expect(only(selector, wider)?.ref).toBe(before.ref);
  return true;
}

it('an unrelated element does not change a unique match', () => {
  let tried = 0;
  const random = (selector: Selector, tree: Twig[], stranger: Parameters<typeof unchangedBy>[2]): void => {
    tried += Number(unchangedBy(selector, tree, stranger));
  };
  fc.assert(fc.property(SELECTORS, TREES, STRANGER, random), { numRuns: 3_000 });
  const suggested = (tree: Twig[], stranger: Parameters<typeof unchangedBy>[2]): void => {
    const scene = sceneWith(grow(tree));
    for (const { element } of scene.places) {
      tried += Number(unchangedBy(parseSelector(suggest(element, scene)!.selector), tree, stranger));
    }
  };
  fc.assert(fc.property(TREES, STRANGER, suggested), { numRuns: 200 });
  // Most random selectors match many elements or none; make sure that enough unique ones were tested.
  expect(tried).toBeGreaterThan(500);
}, 120_000);

it('after any element is added, a suggestion by properties still finds its element, alone or among others', () => {
  const holds = (tree: Twig[], extra: Twig): void => {
    const scene = sceneWith(grow(tree));
    const wider = sceneWith([...grow(tree), ...grow([extra], 1_000)]);
    for (const { element } of scene.places) {
      const { selector, by } = suggest(element, scene)!;
      // For these two, a nearer field or an earlier one of the same kind takes their place.
      if (by === 'position' || by === 'label') continue;
      const refs = resolve(parseSelector(selector), wider).matches.map((match) => match.element.ref);
      expect(refs, selector).toContain(element.ref);
    }
  };
  fc.assert(fc.property(TREES, twig(1), holds), { numRuns: 300 });
}, 120_000);
