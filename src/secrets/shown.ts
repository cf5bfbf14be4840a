/** Physical pixels, as everywhere. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** As much of an element as matters here. */
export interface Shown {
  id: string;
  name?: string;
  value?: string | number;
  description?: string;
  /** The app's own words about an invalid field. */
  error?: string;
  table?: unknown;
  platformIds?: unknown;
  bounds?: Box;
  states?: { visible?: boolean; offscreen?: boolean; secret?: boolean };
  children: readonly Shown[];
}

/** Everything in an element that apps fill with their words. */
export const TEXTS = ['name', 'value', 'description', 'error'] as const;
