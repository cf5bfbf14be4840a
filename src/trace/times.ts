/** `41 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  const [large, small] =
    seconds < 3_600
      ? [`${Math.floor(seconds / 60)} min`, seconds % 60 === 0 ? '' : `${seconds % 60} s`]
      : [`${Math.floor(seconds / 3_600)} h`, `${Math.floor((seconds % 3_600) / 60)} min`];
  return [large, small].filter(Boolean).join(' ');
}

/** `10:30:45.120` of `2026-11-15T10:30:45.120Z`. */
export const clockText = (at: string): string => at.slice(11, 23);

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `15 November 2026, 10:30:45`; always in UTC, as in the log. */
export function dateText(at: string): string {
  return `${dayText(at)}, ${at.slice(11, 19)}`;
}

export function dayText(at: string): string {
  return `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1] ?? ''} ${at.slice(0, 4)}`;
}
