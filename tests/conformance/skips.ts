import type { Skip } from './stage.js';

/**
 * Cases that a driver cannot pass, with the reason. A skipped case is still run: if it passes, the run fails, so
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
    reason: 'GTK 4.8 exposes radio buttons as check boxes, with nothing else to distinguish them.',
  },
  {
    driver: 'linux, GTK 4',
    case: 'read: hidden elements are left out; full includes and marks them',
    reason: 'GTK 4.8 does not expose hidden widgets in its tree.',
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
    reason: 'GTK 4.8 sends no event for added children; only the painting (damage) shows them.',
  },
  ...[
    { driver: 'linux, Qt', toolkit: 'Qt 5' },
    { driver: 'linux, Qt 6', toolkit: 'Qt 6' },
  ].flatMap(({ driver, toolkit }) => [
    {
      driver,
      case: 'events: children',
      reason: `${toolkit} sends no event for added children; only the painting (damage) shows them.`,
    },
    {
      driver,
      case: 'list: controls inside of items',
      reason: `${toolkit} does not expose widgets that are set on list items.`,
    },
    ...[
      'act: an item of a list is selected',
      'act: a selected item is read as selected, and selecting it again does nothing',
    ].map((name) => ({
      driver,
      case: name,
      reason: `${toolkit} selects an item without making it the current item, which apps react to; a mouse click does both.`,
    })),
  ]),
  ...['fake', 'fake, recycling lists', 'fake, as JSON'].map((driver) => ({
    driver,
    case: 'act: a selected item is read as selected, and selecting it again does nothing',
    reason: 'The fake driver creates list items on request, and they keep no state.',
  })),
  {
    driver: 'linux, GTK 4',
    case: 'act: a check box is toggled',
    reason: 'GTK 4.8 exposes no action for check boxes; a mouse click toggles them.',
  },
  {
    driver: 'linux, GTK 4',
    case: 'act: a radio button is selected, and its rival is not any more',
    reason: 'GTK 4.8 exposes radio buttons as check boxes, without an action.',
  },
  {
    driver: 'linux, Swing',
    case: 'text: whole, and by range of characters',
    reason: "Java's wrapper 0.40 returns no text with an emoji in it; the text around it is read in parts.",
  },
  {
    driver: 'linux, Swing',
    case: 'act: a field is written into, whatever letters',
    reason: "Java's wrapper 0.40 writes other letters in place of an emoji; keys type it.",
  },
  {
    driver: 'linux, Swing',
    case: 'list: controls inside of items',
    reason: 'Swing draws the items of a list and has no widgets in them.',
  },
  {
    driver: 'linux, Swing',
    case: 'events: children',
    reason: "Java's wrapper 0.40 sends no event for added children; only the painting (damage) shows them.",
  },
  {
    driver: 'linux, Swing',
    case: 'act: a number is set',
    reason: "Java's wrapper 0.40 reports success for a written number and changes nothing; keys and steps do it.",
  },
];
