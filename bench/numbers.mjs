// Medians and spreads: a shared machine is noisy, and a number without its noise says nothing.
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `spread`: how far apart the slowest and the fastest run are, as a part of the median. */
export function statistics(values) {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { median: median(values), min, max, spread: (max - min) / median(values), runs: values.length };
}

/** How many times faster b is than a: in the middle, and round by round, since both sides of a round share its noise. */
export function ratio(a, b) {
  const each = a.map((value, round) => value / b[round]);
  return { ofMedians: median(a) / median(b), ofMinima: Math.min(...a) / Math.min(...b), rounds: statistics(each) };
}

export const ms = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value < 10 ? 1 : 0);
export const times = (value) => `${value.toFixed(value < 10 ? 1 : 0)}x`;
export const percent = (value) => `${Math.round(value * 100)}%`;
export const count = (value) => value.toLocaleString('en-US');
