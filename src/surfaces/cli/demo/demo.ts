import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  writeInlinePolicy,
  missingFor,
  type CallAnswer,
  type DesktopDetails,
  type HostClient,
  type LaunchAnswer,
} from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { estimateTokens, withoutUntrustedMarkers } from '../../../tree/index.js';
import { closing, type Context, type Flags } from '../context.js';
import { type Ask, beRefused, compute, DEMO_POLICY, tellLog, writeNote } from './steps.js';
import { Transcript } from './transcript.js';
import { savePicture } from '../desktop/view.js';
import { stopIfRunning } from '../desktop/manage.js';

const APPS = ['gnome-calculator', 'mousepad'];
const TITLE = 'Deskproof demo: a private desktop, two real apps, nothing of yours is touched.\n';
const SETTLE_WITHIN_MS = 5_000;
/** A demo on a slow machine is still a demo. */
const PATIENCE_MS = 20_000;
/** Those that take no time of their own. */
const NO_TIME = new Set(['ui_batch', 'ui_read']);

export interface DemoFlags extends Flags {
  visible?: boolean;
}

/** A private desktop, two real apps, looked at and worked with. All it makes is gone at the end, but the picture. */
export async function demo(context: Context, flags: DemoFlags): Promise<void> {
  refuseDesktop(flags);
  const since = performance.now();
  const show = new Transcript(context, flags.json === true);
  await requirePackages(context);
  // `npm start` has said it already, above what it installed.
  if (!context.env.DESKPROOF_TITLE_SHOWN) show.say(TITLE);
  const policy = writeInlinePolicy(DEMO_POLICY);
  try {
    await play(context, flags, show, policy.file);
  } finally {
    policy.remove();
  }
  show.end(Math.round(performance.now() - since));
}

async function play(context: Context, flags: DemoFlags, show: Transcript, policyFile: string): Promise<void> {
  const { desktops } = context;
  const { name, host } = await desktops.startPrivate({
    ...{ prefix: 'demo', leash: true, signal: context.signal, policyFile },
    ...(flags.visible && { visible: true }),
  });
  try {
    await closing(host, async () => {
      const details = await host.request<DesktopDetails>('info');
      const up = `up in ${seconds(details.bootMs)} (${details.size?.width}x${details.size?.height}, own display, bus and home)`;
      show.step('desktop', `"${name}" ${up}`, { name, bootMs: details.bootMs, size: details.size });
      await look(context, host, show, {
        what: 'Calculator',
        command: ['gnome-calculator'],
        lines: [/textbox/, /"[789]"/, /"[456]"/, /"[123]"/],
      });
      const ask = askOf(context, host);
      await compute(ask, show);
      // Beside the editor, so that the picture shows both.
      await ask('ui_window', { action: 'move', window: 'Calculator', x: 120, y: 120 });
      await launch(context, host, ['mousepad']);
      await writeNote(ask, show, join(details.env.HOME ?? '', 'Documents', 'notes.txt'));
      await beRefused(ask, show);
      // In front for the picture; and being an act, it has the log signed with all that was before it.
      await ask('ui_window', { action: 'focus', window: 'Calculator' });
      tellLog(show, await desktops.logPlaces(name));
      const file = await keepPicture(host, `${name}.png`);
      show.aside(`picture of the desktop: ${file}`);
      show.facts.picture = file;
    });
  } finally {
    await stopIfRunning(context, name);
    if (context.signal.aborted) show.say('Stopped. Nothing left running.\n');
  }
}

function refuseDesktop({ desktop }: Flags): void {
  if (desktop === undefined) return;
  throw new DesktopError('bad_arguments', 'The demo makes a private desktop of its own.', {
    hint: 'leave out --desktop.',
  });
}

interface Subject {
  what: string;
  command: readonly [string, ...string[]];
  /** Which lines of the look are worth showing. */
  lines: readonly RegExp[];
}

async function look(context: Context, host: HostClient, show: Transcript, subject: Subject): Promise<void> {
  const [command] = subject.command;
  const { window } = await launch(context, host, subject.command);
  const { text, count, ms } = await settledLook(host, window.ref, context.signal);
  const all = withoutUntrustedMarkers(text)
    .split('\n')
    .map((line) => line.trim());
  const lines = subject.lines.flatMap((pattern) => all.find((line) => pattern.test(line)) ?? []);
  const tokens = estimateTokens(text);
  show.step('look', `${subject.what}: ${count} elements, ${tokens} tokens, ${ms} ms`, {
    program: command,
    elements: count,
    tokens,
    ms,
    lines,
  });
  show.excerpt(lines);
}

function launch({ signal }: Context, host: HostClient, [command, ...args]: Subject['command']): Promise<LaunchAnswer> {
  return host.request<LaunchAnswer>('launch', { command, args }, { signal });
}

function askOf({ signal }: Context, host: HostClient): Ask {
  return async (tool, args) => {
    const waiting = NO_TIME.has(tool) ? {} : { timeoutMs: PATIENCE_MS };
    const call = { tool, args: { ...args, ...waiting }, caller: 'cli:demo', want: 'both' };
    const { json = {}, text = '' } = await host.request<CallAnswer>('call', call, { signal });
    return { json, text };
  };
}

/** An app that has just opened is still filling its window: looks until two in a row agree. */
async function settledLook(
  host: HostClient,
  window: string,
  signal: AbortSignal,
): Promise<{ text: string; count: number; ms: number }> {
  const until = performance.now() + SETTLE_WITHIN_MS;
  let before = -1;
  for (;;) {
    const since = performance.now();
    const call = { tool: 'ui_snapshot', args: { window }, caller: 'cli:demo', want: 'text' };
    const { text = '' } = await host.request<CallAnswer>('call', call, { signal });
    const ms = Math.round(performance.now() - since);
    const count = Number(/(\d+) elements/.exec(text)?.[1] ?? 0);
    if ((count === before && count > 3) || performance.now() > until) return { text, count, ms };
    before = count;
    await pause(50, undefined, { signal });
  }
}

async function requirePackages({ env }: Context): Promise<void> {
  const { packages, install } = await missingFor(APPS, env);
  if (packages.length === 0) return;
  throw new DesktopError(
    'driver_unavailable',
    `The demo needs ${packages.join(', ')}, which ${packages.length === 1 ? 'is' : 'are'} not installed.`,
    {
      hint: install,
    },
  );
}

/** Here, or, where nothing can be written, among the temporary files. */
async function keepPicture(host: HostClient, file: string): Promise<string> {
  try {
    await savePicture(host, file, 'wx');
    return file;
  } catch (error) {
    if (!(error instanceof DesktopError && error.code === 'command_failed')) throw error;
    const elsewhere = join(tmpdir(), file);
    await savePicture(host, elsewhere, 'wx');
    return elsewhere;
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
