import type { Skip } from './stage.js';

/**
 * Cases that a driver cannot hold, with the reason. A skipped case is still run: when it passes, the run fails, so
 * that no skip outlives its reason. A skip that names no case fails too.
 */
export const SKIPS: Skip[] = [
  {
    driver: 'fake, recycling lists',
    case: 'list: full marks what is scrolled out',
    reason: 'A recycling list has no widgets for items far from the screen; they are read by range.',
  },
  {
    driver: 'linux, GTK 4',
    case: 'read: radio buttons',
    reason: 'GTK 4.8 gives radio buttons the role of check boxes, and exposes nothing else to distinguish them.',
  },
  {
    driver: 'linux, GTK 4',
    case: 'read: hidden elements are left out; full includes and marks them',
    reason: 'GTK 4.8 leaves hidden widgets out of its tree altogether.',
  },
  ...[
    'table: size, headers and the rows on screen',
    'table: rows by range',
    'table: cells by range say where they are',
  ].map((name) => ({
    driver: 'linux, GTK 4',
    case: name,
    reason: 'GTK 4.8 does not expose the rows of a tree view, only its header buttons.',
  })),
  {
    driver: 'linux, GTK 4',
    case: 'events: children',
    reason: 'GTK 4.8 does not announce added children; pixels (damage) do.',
  },
  {
    driver: 'linux, Qt',
    case: 'events: children',
    reason: 'Qt 5 does not announce added children; pixels (damage) do.',
  },
  {
    driver: 'linux, Qt',
    case: 'list: controls inside of items',
    reason: 'Qt 5 leaves widgets that are set on list items out of its tree.',
  },
  ...['fake', 'fake, recycling lists', 'fake, as JSON'].map((driver) => ({
    driver,
    case: 'act: a selected item is read as selected, and selecting it again does nothing',
    reason: 'The items of a fake list are made when they are asked for, and remember nothing.',
  })),
  {
    driver: 'linux, GTK 4',
    case: 'act: a check box is toggled',
    reason: 'GTK 4.8 offers no action for check boxes; the mouse does it.',
  },
  {
    driver: 'linux, GTK 4',
    case: 'act: a radio button is selected, and its rival is not any more',
    reason: 'GTK 4.8 gives radio buttons the role of check boxes and no action.',
  },
  ...[
    'act: an item of a list is selected',
    'act: a selected item is read as selected, and selecting it again does nothing',
  ].map((name) => ({
    driver: 'linux, Qt',
    case: name,
    reason: 'Qt 5 selects an item without making it the current one, which apps go by; the mouse does both.',
  })),
];
