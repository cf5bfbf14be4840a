// The look that an agent gets by default: what is on screen, pruned. Beside it pyatspi's walk of what is shown, for
// context: both leave out what is not on screen, but they do not read the same set.
import { perform, TOOLS } from './house.mjs';
import { estimateTokens } from '../dist/tree/index.js';
import { statistics } from './numbers.mjs';
import { pyatspi } from './pyatspi.mjs';
import { soon } from './scene.mjs';

export async function looks(scene, rounds, say) {
  const windows = windowsToLookAt(scene);
  const runs = new Map(windows.map(({ title }) => [title, []]));
  const shown = new Map(scene.measured.map(({ pid }) => [pid, []]));
  for (let round = 0; round <= rounds; round++) {
    say(`default looks, ${round === 0 ? 'not counted' : `round ${round} of ${rounds}`}`);
    for (const { title, window } of windows) runs.get(title).push(await look(scene.driver, window.id));
    for (const { pid } of scene.measured) shown.get(pid).push(await pyatspi(scene.env, 'shown', pid));
  }
  return {
    windows: await Promise.all(
      windows.map(async ({ title, window }) => {
        const counted = runs.get(title).slice(1);
        const { nodes, calls } = counted.at(-1);
        const tokens = await tokensOf(scene.desktop, window.title);
        return { window: title, nodes, calls, tokens, ours: statistics(counted.map((one) => one.ms)) };
      }),
    ),
    pyatspi: scene.measured.map(({ title, pid }) => {
      const counted = shown.get(pid).slice(1);
      return { app: title, nodes: counted.at(-1).nodes, ...statistics(counted.map((one) => one.ms)) };
    }),
  };
}

export function windowsToLookAt({ windows }) {
  return [
    { title: 'gtk3-widget-factory', window: windows.factory },
    { title: 'LibreOffice Writer', window: windows.writer },
    { title: 'LibreOffice Calc', window: windows.calc },
    { title: 'Chromium', window: windows.chromium },
  ];
}

export async function look(driver, window) {
  const started = performance.now();
  const { count, calls } = await driver.read({ window }, { deadline: soon(), fresh: true });
  return { ms: performance.now() - started, nodes: count, calls };
}

/** Of the text that a model gets. */
async function tokensOf(desktop, title) {
  const call = { tool: 'ui_snapshot', args: { window: title }, caller: 'bench' };
  return estimateTokens((await perform(desktop, TOOLS, call)).text);
}
