import { TOOLS } from '../../tools/index.js';
import { fieldsOf, type Field } from './fields.js';

/** What a tool takes; undefined where there is no such tool. It brings all tools, so it is loaded when it is wanted. */
export function toolFields(tool: string): Field[] | undefined {
  const found = TOOLS.find(({ name }) => name === tool);
  return found && fieldsOf(found.input);
}
