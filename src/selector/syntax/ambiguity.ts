import { rolesNamed } from '../../tree/index.js';
import { PREFIXES, RELATIONS } from '../ast.js';
import { isStateKey, keyNamed } from '../match/predicates.js';
import { wordOf } from './comparison.js';
import { platformOf, type StepContext } from './step.js';
import { quoted, shown } from './syntax-error.js';

interface TwoMeanings {
  message: string;
  hint: string;
  /** The spelling for the meaning that is not the name. */
  other: string;
}

export function isPrefix(word: string): boolean {
  return (PREFIXES as readonly string[]).includes(word.toLowerCase());
}

/** The error for an unquoted text that is also a word of the grammar; undefined if it is only a text. */
export function twoMeanings(text: string, context: StepContext): TwoMeanings | undefined {
  const word = text.toLowerCase();
  const written = quoted(shown(text));
  const name = `The name: ${written}.`;
  const also = (what: string, kind: string, other: string) => ({
    message: `${written} is ${what} and may be a name`,
    hint: `${kind}: ${other}. ${name}`,
    other,
  });
  const roles = rolesNamed(text, platformOf(context.source));
  if (roles.length > 0) return also('a role', 'The role', `role=${wordOf(context, roles)}`);
  const key = keyNamed(word);
  if (key && isStateKey(key)) return also('a key', 'The state', `${key}=true`);
  if (key) return also('a key', 'The key', `${key}="…"`);
  if (isPrefix(word)) return also('a prefix', 'The prefix', `${word}:…`);
  if ((RELATIONS as readonly string[]).includes(word)) return also('a relation', 'The relation', `… >> ${word} >> …`);
  if (text === 'first' || text === 'last') {
    const other = text === 'first' ? 'nth=0' : 'nth=-1';
    return { message: `${written} may be a position or a name`, hint: `The position: ${other}. ${name}`, other };
  }
  if (text !== 'parent') return undefined;
  const other = 'role=row && has(…)';
  const hint = `There is no parent step: ${other} finds an element by its content. ${name}`;
  return { message: '"parent" may be a step or a name', hint, other };
}
