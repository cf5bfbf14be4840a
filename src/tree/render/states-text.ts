import type { Element } from '../element.js';
import type { Role } from '../roles.js';

/** Read-only is worth a word where one could expect to write. */
const WRITABLE: ReadonlySet<Role> = new Set([
  'textbox',
  'searchbox',
  'passwordbox',
  'combobox',
  'spinbutton',
  'slider',
  'checkbox',
]);

/** The states that are printed, in the order in which they are printed. */
export function stateWords(element: Element): string[] {
  const { states, role } = element;
  const words: string[] = [];
  const say = (word: string, when: boolean | undefined): void => {
    if (when === true) words.push(word);
  };
  say('focused', states.focused);
  say('active', states.active);
  say('modal', states.modal);
  say('disabled', !states.enabled);
  say('readonly', states.readonly === true && WRITABLE.has(role));
  say('required', states.required);
  say('invalid', states.invalid);
  say('checked', states.checked === true);
  say('mixed', states.checked === 'mixed' || states.pressed === 'mixed');
  say('selected', states.selected);
  say('pressed', states.pressed === true);
  say('expanded', states.expanded === true);
  say('collapsed', states.expanded === false);
  say('busy', states.busy);
  say('offscreen', states.offscreen === true || !states.visible);
  say('secret', isSecret(element));
  return words;
}

export function isSecret(element: Element): boolean {
  return element.states.secret === true || element.role === 'passwordbox';
}
