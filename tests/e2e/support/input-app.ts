import { FixtureApp } from '../../conformance/fixture-app.js';
import { until } from './seat-room.js';
import { tool, type Env } from './x-seat.js';

/**
 * Starts an input fixture and gives its window the keyboard focus. Window managers do not focus every new window if
 * the user has just typed, so the focus is requested as a click in a task bar would.
 */
export async function startInputApp(file: string, env: Env): Promise<FixtureApp> {
  const app = await FixtureApp.start(file, env);
  try {
    const search = ['search', '--sync', '--all', '--onlyvisible', '--pid', String(app.pid), '--name', 'Plain input'];
    // xdotool reads every window of the display, and fails when one of them closes meanwhile.
    await until('the window to be active', () =>
      tool(env, 'xdotool', ...search, 'windowactivate', '--sync').then(
        () => true,
        () => false,
      ),
    );
    return app;
  } catch (error) {
    await app.end();
    throw error;
  }
}
