import type { Role } from '../../tree/index.js';
import { DesktopError } from '../../shared/index.js';

/** What `getByRole` may ask besides the role. */
export interface RoleOptions {
  /** Of the element: a part of it, or a pattern. */
  name?: string | RegExp;
  /** `name` is the whole name. */
  exact?: boolean;
  /** Ticked or not. */
  checked?: boolean;
  /** Greyed out or not. */
  disabled?: boolean;
  /** Open or not. */
  expanded?: boolean;
  /** Chosen or not. */
  selected?: boolean;
}

/** States that `filter` can ask for. */
export type FilterStates = {
  [Key in 'enabled' | 'visible' | 'focused' | 'checked' | 'selected' | 'expanded' | 'editable' | 'offscreen']?: boolean;
};

const STATES = ['enabled', 'visible', 'focused', 'checked', 'selected', 'expanded', 'editable', 'offscreen'];

/** A text in a selector: nothing in it is an operator. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** `name~="Save"`, `name="Save"` or `name=/^save/i`. */
export function textTerm(key: string, text: string | RegExp, exact = false): string {
  if (text instanceof RegExp) return `${key}=${regexOf(text)}`;
  if (text === '' && !exact) throw wrong(`An empty text is a part of everything (${key}).`, 'Give a text, or a role.');
  return `${key}${exact ? '=' : '~='}${quoted(text)}`;
}

/** It, or something in it. */
export const showing = (term: string): string => `${term} || has(${term})`;

function regexOf({ source, flags }: RegExp): string {
  const other = flags.replaceAll(/[igyuv]/g, '');
  if (other !== '') throw wrong(`The flag ${other} of a pattern is not known here.`, 'Only i is.');
  return `/${source}/${flags.includes('i') ? 'i' : ''}`;
}

export function roleTerms(role: Role, { name, exact, checked, disabled, expanded, selected }: RoleOptions): string {
  const states = { checked, enabled: disabled === undefined ? undefined : !disabled, expanded, selected };
  const named = name === undefined || name === '' ? [] : [textTerm('name', name, exact)];
  return [`role=${role}`, ...named, ...stateTerms(states)].join(' && ');
}

export function stateTerms(states: FilterStates): string[] {
  return Object.entries(states).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (!STATES.includes(key))
      throw wrong(`Elements cannot be found by the state ${key}.`, `Use ${STATES.join(', ')}.`);
    // Of what says nothing about the screen it is not known that it is off it.
    return [key === 'offscreen' && value === false ? '!offscreen=true' : `${key}=${String(value)}`];
  });
}

/** What a field is called, by its label or by itself; the label is not the field. */
export function labelTerms(label: string | RegExp, exact?: boolean): string {
  return `${textTerm('name', label, exact)} && !role=text`;
}

export function wrong(message: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint, retry: 'no' });
}
