import type { DriverDescription } from '../drivers/contract/index.js';
import type { Source } from '../selector/index.js';

/** Which prefixes of a selector a driver answers. One that is not here answers all but OCR. */
const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  linux: ['atspi'],
  windows: ['uia', 'win32', 'sap'],
  macos: ['ax'],
};

export function sourcesOf({ kind }: Pick<DriverDescription, 'kind'>): ReadonlySet<Source> | undefined {
  const sources = SOURCES[kind];
  return sources && new Set(sources);
}
