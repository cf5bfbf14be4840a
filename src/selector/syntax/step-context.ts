import type { RolePlatform } from '../../tree/index.js';
import type { Source } from '../ast.js';

export interface StepContext {
  source?: Source;
  /** Where the step's prefix stands, for errors about the prefix itself. */
  prefixAt: number;
}

/** The platform whose role names a prefix means. */
export function platformOf(source: Source | undefined): RolePlatform | undefined {
  return source === 'atspi' || source === 'uia' || source === 'ax' ? source : undefined;
}
