import { addressOf, type Address } from './raw-element.js';

/** An accessible object, or a place in a table whose cells are made anew at each ask. */
export interface ElementId {
  address: Address;
  row?: number;
  column?: number;
}

export function parseElementId(id: string): ElementId | undefined {
  const match = /^([^#]+)(?:#r([1-9][0-9]*)(?:c([1-9][0-9]*))?)?$/.exec(id);
  const address = match && addressOf(match[1]!);
  if (!address) return undefined;
  return {
    address,
    ...(match[2] && { row: Number(match[2]) }),
    ...(match[3] && { column: Number(match[3]) }),
  };
}
