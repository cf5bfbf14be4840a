import type { ToolArgs, ToolName, ToolResult } from '../../../tools/index.js';
import { TEXT_FIELD_ROLES, type Box } from '../../../tree/index.js';
import { DesktopError } from '../../../shared/index.js';
import { checkOptions, MILLISECONDS, OBJECT, oneOf, STRING, STRING_OR_REGEXP } from '../check-options.js';
import { toFrame } from '../snapshot.js';
import type { Link } from '../link.js';
import { actOn, readCells, selectOption, describeElement, type ElementCall, readAllText } from './element-calls.js';
import {
  type ActOptions,
  type CaptureOptions,
  type ClickOptions,
  type ScrollOptions,
  Secret,
  type Timeout,
  type TypeOptions,
} from '../options.js';
import { isMissing, retryUntilFound } from './retry.js';
import type { SearchScope } from './search-scope.js';
import { LocatorFactory } from './locator-factory.js';
import {
  type FilterStates,
  SelectorBuilder,
  selfOrDescendant,
  stateTerms,
  textTerm,
  badArguments,
} from './selector-builder.js';
import type { ActionName, ActResult, ElementInfo, Frame, Locator } from '../surface.js';
import { waitForState } from './wait-for-condition.js';

const MAX_MATCHES = 1_000;

const WAIT_OPTIONS = { state: oneOf('visible', 'gone', 'enabled'), timeoutMs: MILLISECONDS };
const FILTER_OPTIONS = { hasText: STRING_OR_REGEXP, has: OBJECT, state: OBJECT };

/** A selector, the scope to search, and the connection to the host. */
export class ElementLocator extends LocatorFactory implements Locator {
  constructor(
    readonly link: Link,
    readonly scope: SearchScope,
    readonly selector: SelectorBuilder,
  ) {
    super();
  }

  get target(): string {
    return this.selector.text;
  }

  click(options?: ClickOptions): Promise<ActResult> {
    return this.actWith('ui_click', 'click()', { ...options });
  }

  dblclick(options?: ClickOptions): Promise<ActResult> {
    return this.actWith('ui_click', 'dblclick()', { ...options, count: 2 });
  }

  hover(options?: ActOptions): Promise<ActResult> {
    return this.act('hover', options);
  }

  fill(value: string | number, options?: ActOptions): Promise<ActResult> {
    return this.actWith('ui_set_value', 'fill(…)', { ...options, value });
  }

  type(text: string | Secret, options?: TypeOptions): Promise<ActResult> {
    const what = text instanceof Secret ? { secret: text.name } : { text };
    return this.actWith('ui_type', 'type(…)', { ...options, ...what });
  }

  press(keys: string, options: ActOptions = {}): Promise<ActResult> {
    const { method: _method, ...rest } = options;
    return this.actWith('ui_key', 'press(…)', { ...rest, keys });
  }

  check(options?: ActOptions): Promise<ActResult> {
    return this.act('check', options);
  }

  uncheck(options?: ActOptions): Promise<ActResult> {
    return this.act('uncheck', options);
  }

  selectOption(name: string, options?: ActOptions): Promise<ActResult> {
    return selectOption(this.elementCall(`selectOption(${JSON.stringify(name)})`), name, options);
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
    return this.actWith('ui_act', `act(${JSON.stringify(action)})`, { ...options, action });
  }

  async dragTo(to: Locator, { method: _method, timeoutMs, ...options }: ActOptions = {}): Promise<ActResult> {
    const expression = `${this.toString()}.dragTo(${to.toString()})`;
    const { ref } = await to.describe();
    return retryUntilFound(this.link, { ...this.elementCall(''), expression, timeoutMs }, async (window, leftMs) => {
      // Refs are valid on the whole desktop, so the source can be in a different window than the drop target.
      const from = window === undefined ? this.target : (await describeElement(this.link, this.target, window)).ref;
      const { json } = await this.link.call('ui_drag', { ...options, from, to: ref, timeoutMs: leftMs });
      return json as unknown as ActResult;
    });
  }

  scroll({ timeoutMs, ...options }: ScrollOptions = {}): Promise<ActResult> {
    return this.actWith('ui_scroll', 'scroll()', { ...options, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  first(): Locator {
    return this.with(this.selector.nth(0));
  }

  last(): Locator {
    return this.with(this.selector.nth(-1));
  }

  nth(n: number): Locator {
    return this.with(this.selector.nth(n));
  }

  filter(options: { hasText?: string | RegExp; has?: Locator; state?: FilterStates }): Locator {
    checkOptions('filter()', options, FILTER_OPTIONS);
    const { hasText, has, state } = options;
    let { selector } = this;
    if (hasText !== undefined) selector = selector.and(selfOrDescendant(textTerm('text', hasText)));
    if (has) selector = selector.has(selectorOf(has));
    for (const term of stateTerms(state ?? {})) selector = selector.and(term);
    return this.with(selector);
  }

  rightOf(anchor: Locator, px?: number): Locator {
    return this.with(this.selector.beside('right-of', selectorOf(anchor), px));
  }

  leftOf(anchor: Locator, px?: number): Locator {
    return this.with(this.selector.beside('left-of', selectorOf(anchor), px));
  }

  above(anchor: Locator, px?: number): Locator {
    return this.with(this.selector.beside('above', selectorOf(anchor), px));
  }

  below(anchor: Locator, px?: number): Locator {
    return this.with(this.selector.beside('below', selectorOf(anchor), px));
  }

  async count(): Promise<number> {
    return (await this.query(1))?.total ?? 0;
  }

  async all(): Promise<Locator[]> {
    const { matches = [] } = (await this.query(MAX_MATCHES)) ?? {};
    return matches.map(({ ref }) => this.with(SelectorBuilder.of(ref)));
  }

  describe(): Promise<ElementInfo> {
    return this.read('describe()', (window) => describeElement(this.link, this.target, window));
  }

  async textContent(options: { range?: string } = {}): Promise<string> {
    checkOptions('textContent()', options, { range: STRING });
    const { range } = options;
    return this.read('textContent()', async (window) => {
      const text = await readAllText(this.link, { target: this.target, window, range });
      if (text !== '' || range !== undefined) return text;
      // Some apps expose an empty text on elements that have a name. Only for text fields does empty mean empty.
      const { role, name = '' } = await describeElement(this.link, this.target, window);
      return TEXT_FIELD_ROLES.has(role) ? '' : name;
    });
  }

  inputValue(): Promise<string> {
    return this.read('inputValue()', (window) => readAllText(this.link, { target: this.target, window }));
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
    const expression = `cells(${JSON.stringify(range)})`;
    return this.read(expression, (window) => readCells(this.link, { target: this.target, window, range }));
  }

  async waitFor(options: { state?: 'visible' | 'gone' | 'enabled' } & Timeout = {}): Promise<void> {
    checkOptions('waitFor()', options, WAIT_OPTIONS);
    await waitForState(this, options.state ?? 'visible', options.timeoutMs);
  }

  capture({ maxSize = 0, ...options }: CaptureOptions = {}): Promise<Frame> {
    return this.read('capture()', async (window) => {
      const { json } = await this.link.call('ui_capture', { target: this.target, window, maxSize, ...options });
      return toFrame(json as unknown as ToolResult['ui_capture']);
    });
  }

  override toString(): string {
    const scope = this.scope.expression;
    return `${scope}${scope && '.'}locator(${JSON.stringify(this.target)})`;
  }

  elementCall(call: string): ElementCall {
    return { link: this.link, scope: this.scope, target: this.target, expression: `${this.toString()}.${call}` };
  }

  protected createLocator(selector: SelectorBuilder): Locator {
    return this.with(selector.within(this.selector));
  }

  private with(selector: SelectorBuilder): Locator {
    return new ElementLocator(this.link, this.scope, selector);
  }

  private actWith<T extends ToolName>(
    tool: T,
    call: string,
    args: Omit<ToolArgs[T], 'target' | 'window'>,
  ): Promise<ActResult> {
    return actOn(this.elementCall(call), tool, args);
  }

  private read<T>(call: string, work: (window: string | undefined) => Promise<T>): Promise<T> {
    return retryUntilFound(this.link, this.elementCall(call), work);
  }

  /** Undefined if the element does not exist. */
  private async statesNow(call: string): Promise<ElementInfo['states'] | undefined> {
    return this.withoutWaiting(call, async (window) => (await describeElement(this.link, this.target, window)).states);
  }

  private query(limit: number): Promise<ToolResult['ui_query'] | undefined> {
    return this.withoutWaiting('count()', async (window) => {
      const { json } = await this.link.call('ui_query', { target: this.target, window, limit });
      return json as unknown as ToolResult['ui_query'];
    });
  }

  /** Runs without waiting. Returns undefined if the element does not exist now. */
  private async withoutWaiting<T>(
    call: string,
    work: (window: string | undefined) => Promise<T>,
  ): Promise<T | undefined> {
    let window: string | undefined;
    try {
      window = await this.scope.window(this.link);
      return await work(window);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw await this.link.explain(error, { expression: `${this.toString()}.${call}`, window });
    }
  }
}

function selectorOf(locator: Locator): SelectorBuilder {
  if (locator instanceof ElementLocator) return locator.selector;
  throw badArguments(
    'This is not a locator of this library.',
    'Pass a locator that was created by a desktop, a window or another locator.',
  );
}

export function asLocator(given: unknown): ElementLocator {
  if (given instanceof ElementLocator) return given;
  throw new DesktopError('bad_arguments', 'expect() takes a locator or a window.', { retry: 'no' });
}
