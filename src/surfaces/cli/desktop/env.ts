import type { DesktopDetails } from '../../../host/index.js';
import { closing, privateName, type Context, type Flags } from '../context.js';
import { exportLines, MARKER } from '../seat-environment.js';

export async function desktopEnv(context: Context, given: string | undefined, flags: Flags): Promise<void> {
  const name = await privateName(context, given ?? flags.desktop);
  const { env } = await closing(await context.desktops.connectPrivate(name), (host) =>
    host.request<DesktopDetails>('info'),
  );
  if (flags.json) {
    const { [MARKER]: _, ...shown } = env;
    context.terminal.out(`${JSON.stringify({ schema: 1, name, env: shown })}\n`);
    return;
  }
  context.terminal.out(
    exportLines(context.env, env)
      .map((line) => `${line}\n`)
      .join(''),
  );
}
