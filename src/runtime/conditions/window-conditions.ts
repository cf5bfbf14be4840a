import { parseRef, type WindowInfo } from '../../tree/index.js';
import { windowCandidate } from '../observe/candidate.js';
import { windowsTitled } from '../observe/window.js';
import { type Kind, notThereBefore, readText } from './condition.js';

export const window: Kind = {
  form: '{"window": "Save As"}',
  read(given) {
    const title = readText(given, 'window', this.form);
    return {
      windows: [title],
      ofWindows: true,
      async evaluate(moment) {
        const { windows, all, absent } = await moment.windows();
        const fits = fitting(windows, title);
        const seen = { condition: 'window', windows: fits.map(words) };
        if (fits.length > 0) return { answer: 'satisfied', seen };
        const nearest = async () => all.map(windowCandidate);
        return { answer: 'unsatisfied', seen, nearest, ...(absent !== undefined && { reason: absent }) };
      },
    };
  },
};

export const windowClosed: Kind = {
  form: '{"windowClosed": "Save As"}',
  read(given) {
    const title = readText(given, 'windowClosed', this.form);
    const key = {};
    return {
      windows: [title],
      ofWindows: true,
      async evaluate(moment) {
        const { start } = moment;
        const { windows } = await moment.windows();
        const fits = fitting(windows, title);
        const before = start.first(key, fits.length > 0) === true;
        const everSeen = start.trace<boolean>(key, (seen) => seen === true || fits.length > 0);
        if (fits.length > 0) {
          return { answer: 'unsatisfied', seen: { condition: 'windowClosed', windows: fits.map(words) } };
        }
        const seenBefore = start.of === 'act' ? before : everSeen;
        const seen = { condition: 'windowClosed', windows: [], seenBefore };
        return start.of === 'act' && !before ? notThereBefore(seen) : { answer: 'satisfied', seen };
      },
    };
  },
};

function words({ ref, role, title }: WindowInfo): Pick<WindowInfo, 'ref' | 'role' | 'title'> {
  return { ref, role, title };
}

/** `w2`, or a title. A condition may match several windows. */
function fitting(windows: readonly WindowInfo[], which: string): WindowInfo[] {
  const wanted = parseRef(which);
  return wanted?.startsWith('w') ? windows.filter(({ ref }) => ref === wanted) : windowsTitled(windows, which);
}
