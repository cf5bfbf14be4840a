import type { ToolArgs, ToolName, ToolResult } from '../../../tools/index.js';
import { TEXT_FIELD_ROLES, type Box } from '../../../tree/index.js';
import { DesktopError } from '../../../shared/index.js';
import { checkOptions, MILLISECONDS, OBJECT, oneOf, TEXT, TEXT_OR_PATTERN } from '../check-options.js';
import { frameOf } from '../snapshot.js';
import type { Link } from '../link.js';
import { actOn, cellsOf, choose, infoOf, type Subject, wholeText } from './element-calls.js';
import {
  type ActOptions,
  type CaptureOptions,
  type ClickOptions,
  type ScrollOptions,
  Secret,
  type Timeout,
  type TypeOptions,
} from '../options.js';
import { isMissing, patiently } from './retry.js';
import type { Place } from './place.js';
import { Looking } from './scope.js';
import { type FilterStates, SelectorParts, showing, stateTerms, textTerm, wrong } from './selector-builder.js';
import type { ActionName, ActResult, ElementInfo, Frame, Locator } from '../surface.js';
import { waitForState } from './wait-for-condition.js';

const MOST_LISTED = 1_000;

const WAIT = { state: oneOf('visible', 'gone', 'enabled'), timeoutMs: MILLISECONDS };
const FILTER = { hasText: TEXT_OR_PATTERN, has: OBJECT, state: OBJECT };

/** A selector, a place to look in, and a way to the host. */
export class ElementLocator extends Looking implements Locator {
  constructor(
    readonly link: Link,
    readonly place: Place,
    readonly parts: SelectorParts,
  ) {
    super();
  }

  get target(): string {
    return this.parts.text;
  }

  click(options?: ClickOptions): Promise<ActResult> {
    return this.doing('ui_click', 'click()', { ...options });
  }

  dblclick(options?: ClickOptions): Promise<ActResult> {
    return this.doing('ui_click', 'dblclick()', { ...options, count: 2 });
  }

  hover(options?: ActOptions): Promise<ActResult> {
    return this.act('hover', options);
  }

  fill(value: string | number, options?: ActOptions): Promise<ActResult> {
    return this.doing('ui_set_value', 'fill(…)', { ...options, value });
  }

  type(text: string | Secret, options?: TypeOptions): Promise<ActResult> {
    const what = text instanceof Secret ? { secret: text.name } : { text };
    return this.doing('ui_type', 'type(…)', { ...options, ...what });
  }

  press(keys: string, options: ActOptions = {}): Promise<ActResult> {
    const { method: _method, ...rest } = options;
    return this.doing('ui_key', 'press(…)', { ...rest, keys });
  }

  check(options?: ActOptions): Promise<ActResult> {
    return this.act('check', options);
  }

  uncheck(options?: ActOptions): Promise<ActResult> {
    return this.act('uncheck', options);
  }

  selectOption(name: string, options?: ActOptions): Promise<ActResult> {
    return choose(this.subject(`selectOption(${JSON.stringify(name)})`), name, options);
  }

  expand(): Promise<ActResult> {
    return this.act('expand');
  }

  collapse(): Promise<ActResult> {
    return this.act('collapse');
  }

  focus(): Promise<ActResult> {
    return this.act('focus');
  }

  act(action: ActionName, options?: ActOptions): Promise<ActResult> {
    return this.doing('ui_act', `act(${JSON.stringify(action)})`, { ...options, action });
  }

  async dragTo(to: Locator, { method: _method, timeoutMs, ...options }: ActOptions = {}): Promise<ActResult> {
    const said = `${this.toString()}.dragTo(${to.toString()})`;
    const { ref } = await to.describe();
    return patiently(this.link, { ...this.subject(''), said, timeoutMs }, async (window, leftMs) => {
      // A ref is of the whole desktop; what is dragged may be in another window.
      const from = window === undefined ? this.target : (await infoOf(this.link, this.target, window)).ref;
      const { json } = await this.link.call('ui_drag', { ...options, from, to: ref, timeoutMs: leftMs });
      return json as unknown as ActResult;
    });
  }

  scroll({ timeoutMs, ...options }: ScrollOptions = {}): Promise<ActResult> {
    return this.doing('ui_scroll', 'scroll()', { ...options, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  first(): Locator {
    return this.with(this.parts.nth(0));
  }

  last(): Locator {
    return this.with(this.parts.nth(-1));
  }

  nth(n: number): Locator {
    return this.with(this.parts.nth(n));
  }

  filter(options: { hasText?: string | RegExp; has?: Locator; state?: FilterStates }): Locator {
    checkOptions('filter()', options, FILTER);
    const { hasText, has, state } = options;
    let { parts } = this;
    if (hasText !== undefined) parts = parts.and(showing(textTerm('text', hasText)));
    if (has) parts = parts.has(partsOf(has));
    for (const term of stateTerms(state ?? {})) parts = parts.and(term);
    return this.with(parts);
  }

  rightOf(anchor: Locator, px?: number): Locator {
    return this.with(this.parts.beside('right-of', partsOf(anchor), px));
  }

  leftOf(anchor: Locator, px?: number): Locator {
    return this.with(this.parts.beside('left-of', partsOf(anchor), px));
  }

  above(anchor: Locator, px?: number): Locator {
    return this.with(this.parts.beside('above', partsOf(anchor), px));
  }

  below(anchor: Locator, px?: number): Locator {
    return this.with(this.parts.beside('below', partsOf(anchor), px));
  }

  async count(): Promise<number> {
    return (await this.query(1))?.total ?? 0;
  }

  async all(): Promise<Locator[]> {
    const { matches = [] } = (await this.query(MOST_LISTED)) ?? {};
    return matches.map(({ ref }) => this.with(SelectorParts.of(ref)));
  }

  describe(): Promise<ElementInfo> {
    return this.read('describe()', (window) => infoOf(this.link, this.target, window));
  }

  async textContent(options: { range?: string } = {}): Promise<string> {
    checkOptions('textContent()', options, { range: TEXT });
    const { range } = options;
    return this.read('textContent()', async (window) => {
      const text = await wholeText(this.link, { target: this.target, window, range });
      if (text !== '' || range !== undefined) return text;
      // Some apps give what is called something an empty text besides; a field without a text has none.
      const { role, name = '' } = await infoOf(this.link, this.target, window);
      return TEXT_FIELD_ROLES.has(role) ? '' : name;
    });
  }

  inputValue(): Promise<string> {
    return this.read('inputValue()', (window) => wholeText(this.link, { target: this.target, window }));
  }

  async isVisible(): Promise<boolean> {
    const states = await this.statesNow('isVisible()');
    return states !== undefined && states.visible && states.offscreen !== true;
  }

  async isEnabled(): Promise<boolean> {
    return (await this.describe()).states.enabled;
  }

  async isChecked(): Promise<boolean> {
    const { checked, pressed } = (await this.describe()).states;
    return (checked ?? pressed) === true;
  }

  async boundingBox(): Promise<Box | null> {
    const { bounds, states } = await this.describe();
    return bounds && states.visible && !states.offscreen ? bounds : null;
  }

  cells(range: string): Promise<string[][]> {
    const said = `cells(${JSON.stringify(range)})`;
    return this.read(said, (window) => cellsOf(this.link, { target: this.target, window, range }));
  }

  async waitFor(options: { state?: 'visible' | 'gone' | 'enabled' } & Timeout = {}): Promise<void> {
    checkOptions('waitFor()', options, WAIT);
    await waitForState(this, options.state ?? 'visible', options.timeoutMs);
  }

  capture({ maxSize = 0, ...options }: CaptureOptions = {}): Promise<Frame> {
    return this.read('capture()', async (window) => {
      const { json } = await this.link.call('ui_capture', { target: this.target, window, maxSize, ...options });
      return frameOf(json as unknown as ToolResult['ui_capture']);
    });
  }

  override toString(): string {
    const place = this.place.said;
    return `${place}${place && '.'}locator(${JSON.stringify(this.target)})`;
  }

  subject(call: string): Subject {
    return { link: this.link, place: this.place, target: this.target, said: `${this.toString()}.${call}` };
  }

  protected inside(parts: SelectorParts): Locator {
    return this.with(parts.within(this.parts));
  }

  private with(parts: SelectorParts): Locator {
    return new ElementLocator(this.link, this.place, parts);
  }

  private doing<T extends ToolName>(
    tool: T,
    call: string,
    args: Omit<ToolArgs[T], 'target' | 'window'>,
  ): Promise<ActResult> {
    return actOn(this.subject(call), tool, args);
  }

  private read<T>(call: string, work: (window: string | undefined) => Promise<T>): Promise<T> {
    return patiently(this.link, this.subject(call), work);
  }

  /** Undefined when it is not there. */
  private async statesNow(call: string): Promise<ElementInfo['states'] | undefined> {
    return this.now(call, async (window) => (await infoOf(this.link, this.target, window)).states);
  }

  private query(limit: number): Promise<ToolResult['ui_query'] | undefined> {
    return this.now('count()', async (window) => {
      const { json } = await this.link.call('ui_query', { target: this.target, window, limit });
      return json as unknown as ToolResult['ui_query'];
    });
  }

  /** Without waiting: what is not there now is undefined. */
  private async now<T>(call: string, work: (window: string | undefined) => Promise<T>): Promise<T | undefined> {
    let window: string | undefined;
    try {
      window = await this.place.window(this.link);
      return await work(window);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw await this.link.tell(error, { said: `${this.toString()}.${call}`, window });
    }
  }
}

function partsOf(locator: Locator): SelectorParts {
  if (locator instanceof ElementLocator) return locator.parts;
  throw wrong('That is no locator of this library.', 'Use one that a desktop, a window or a locator has made.');
}

export function locatorOf(given: unknown): ElementLocator {
  if (given instanceof ElementLocator) return given;
  throw new DesktopError('bad_arguments', 'expect() takes a locator or a window.', { retry: 'no' });
}
