import { DesktopError, type Deadline } from '../../../shared/index.js';
import type { Size } from '../../../tree/index.js';
import { startCore, type CoreProcess } from './core-process.js';
import { handLockTo } from './display-lock.js';

export interface DisplayRequest {
  display: number;
  /** Of the whole X screen, all monitors together. */
  screen: Size;
  authFile: string;
  /** Title of the window that shows it; none for a display that nobody sees. */
  title?: string;
  env: Record<string, string>;
  /** Told at once, so that the process and its lock are known whatever happens next. */
  started: (server: CoreProcess) => void;
}

/** undefined when another X server has the number. */
export async function startDisplay(request: DisplayRequest, deadline: Deadline): Promise<CoreProcess | undefined> {
  const server = await startCore(program(request), [...serverArguments(request)], { env: request.env, report: true });
  request.started(server);
  try {
    handLockTo(request.display, server.id.pid);
    const number = await deadline.race(server.firstLine, 'Starting the X server');
    if (Number(number) !== request.display) throw new Error(`it answered ${number}`);
    return server;
  } catch (error) {
    await server.end();
    if (/already (running|active)|Cannot establish any listening/i.test(server.lastWords())) return undefined;
    if (error instanceof DesktopError) throw error;
    throw new DesktopError('driver_unavailable', `The X server (${program(request)}) did not start.`, {
      hint: server.lastWords() ? `It said: ${server.lastWords()}` : undefined,
      cause: error,
    });
  }
}

const program = (request: DisplayRequest): string => (request.title === undefined ? 'Xvfb' : 'Xephyr');

/** File descriptor 3 is `startCore`'s report pipe. */
function serverArguments({ display, screen, authFile, title }: DisplayRequest): string[] {
  const area = `${screen.width}x${screen.height}`;
  return [
    `:${display}`,
    ...(title === undefined ? ['-screen', '0', `${area}x24`] : ['-screen', area, '-title', title, '-no-host-grab']),
    ...['-displayfd', '3', '-auth', authFile, '-nolisten', 'tcp'],
    // Without -noreset the server forgets monitors and properties when its last client leaves.
    ...['-noreset', '-dpi', '96', '-s', '0', '-dpms'],
    ...['COMPOSITE', 'DAMAGE', 'RANDR', 'XTEST'].flatMap((name) => ['+extension', name]),
  ];
}
