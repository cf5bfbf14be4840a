import { cleanText } from '../../shared/index.js';

/** Why an act that nobody sees anything of may have been done all the same. */
export const UNREAD = 'what is in a secret field is never read, so nobody can say whether it is in there now';
export const UNSEEN = 'such characters show nowhere, so nobody can say whether they are in there now';
export const UNTAKEN =
  'a cell that is not being edited may drop letters or take them for something else; look what it holds';

/** Control characters, direction marks, joiners: what is read of a field does not have them. */
export function showsNothing(text: string): boolean {
  return text !== '' && cleanText(text).text === '';
}
