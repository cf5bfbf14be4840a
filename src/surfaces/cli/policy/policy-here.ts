import { resolve } from 'node:path';
import { policyPlaces, readPolicyFiles, type PolicyFiles, type PolicyPlaces } from '../../../policy/index.js';
import { TOOLS } from '../../../tools/index.js';

export interface PolicyHere extends PolicyFiles {
  places: PolicyPlaces;
}

/** The files as a desktop would read them that is started here and now; `file` in place of the person's own. */
export function policyHere(file?: string): PolicyHere {
  const places = policyPlaces({
    startDirectory: process.cwd(),
    ...(file !== undefined && { policyFile: resolve(file) }),
  });
  return {
    ...readPolicyFiles(
      places,
      TOOLS.map(({ name }) => name),
    ),
    places,
  };
}
