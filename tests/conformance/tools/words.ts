import type { DiaryLine } from '../fixture-app.js';

/** Everything that is typed or set must come out as this. */
export const TEXT = 'héllo 日本 😀 Ω€';

export const RIGHT = 'radio:Right ?? checkbox:Right';
export const ITEM_3 = 'listitem:"Item 3" ?? role=listitem && has("Item 3")';
export const MORE = 'togglebutton:More ?? button:More';
export const FILE = 'menuitem:File ?? button:File';
export const PAD = 'name=Pad';

/** The pointer came from somewhere else. */
export const hovered: DiaryLine = { hovered: 'Pad' };
export const pressed = (count: number, more: DiaryLine = {}): DiaryLine => ({
  pressed: 'Pad',
  button: 'left',
  count,
  ...more,
});
export const chosen = (name: string, rival: string): DiaryLine[] => [
  { toggled: name, on: true },
  { toggled: rival, on: false },
];
export const written = (field: string, value: string): DiaryLine => ({ text: field, value });
