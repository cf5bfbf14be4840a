import type { ToolResult } from '../../tools/index.js';
import type { Link } from './link.js';
import type { ActOptions } from './options.js';
import { patiently } from './patiently.js';
import type { Place } from './place.js';
import { SelectorParts } from './selector-parts.js';
import { quoted } from './selector-text.js';
import type { ActResult, ElementInfo } from './surface.js';

/** The element that a call is about. */
export interface Subject {
  link: Link;
  place: Place;
  target: string;
  /** As it was written, for errors. */
  said: string;
}

/** An act on one element, as soon as it is there. */
export function actOn(subject: Subject, tool: string, args: object): Promise<ActResult> {
  const { link, target } = subject;
  const { timeoutMs, ...rest } = args as { timeoutMs?: number };
  return patiently(link, { ...subject, timeoutMs }, async (window, leftMs) => {
    const { json } = await link.call(tool, { ...rest, target, window, timeoutMs: leftMs });
    return json as unknown as ActResult;
  });
}

export async function infoOf(link: Link, target: string, window: string | undefined): Promise<ElementInfo> {
  const { json } = await link.call('ui_describe', { target, window });
  const { element, window: where, path, selector } = json as unknown as ToolResult['ui_describe'];
  return { ...element, window: where.ref, path, ...(selector && { selector: selector.selector }) };
}

/** A combo box takes the name as its value; everywhere else the one that is called so is selected. */
export async function choose(subject: Subject, name: string, options: ActOptions = {}): Promise<ActResult> {
  const { link, target } = subject;
  const { role } = await patiently(link, { ...subject, timeoutMs: options.timeoutMs }, (window) =>
    infoOf(link, target, window),
  );
  if (role === 'combobox') return actOn(subject, 'ui_set_value', { ...options, value: name });
  const option = SelectorParts.of(`name=${quoted(name)} && !role=text`).within(SelectorParts.of(target));
  return actOn({ ...subject, target: option.text }, 'ui_act', { ...options, action: 'select' });
}
