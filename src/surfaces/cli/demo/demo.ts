import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  writeInlinePolicy,
  missingPackages,
  type CallAnswer,
  type DesktopDetails,
  type HostClient,
  type LaunchAnswer,
} from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { estimateTokens, withoutUntrustedMarkers } from '../../../tree/index.js';
import { closing, type Context, type Flags } from '../context.js';
import { type CallTool, tryRefusedAct, compute, DEMO_POLICY, showLog, writeNote } from './steps.js';
import { Transcript } from './transcript.js';
import { saveDesktopScreenshot } from '../desktop/view.js';
import { stopIfRunning } from '../desktop/manage.js';

const APPS = ['gnome-calculator', 'mousepad'];
const TITLE = 'Deskproof demo: a private desktop, two real apps. Your desktop is not touched.\n';
const SETTLE_TIMEOUT_MS = 5_000;
/** Generous, so that the demo also works on a slow machine. */
const CALL_TIMEOUT_MS = 20_000;
/** Tools without a timeout argument. */
const WITHOUT_TIMEOUT = new Set(['ui_batch', 'ui_read']);

export interface DemoFlags extends Flags {
  visible?: boolean;
}

/** Operates two real apps on a private desktop. Only a screenshot remains at the end. */
export async function demo(context: Context, flags: DemoFlags): Promise<void> {
  refuseDesktop(flags);
  const since = performance.now();
  const show = new Transcript(context, flags.json === true);
  await requirePackages(context);
  // `npm start` prints the title before it installs packages.
  if (!context.env.DESKPROOF_TITLE_SHOWN) show.print(TITLE);
  const policy = writeInlinePolicy(DEMO_POLICY);
  try {
    await runSteps(context, flags, show, policy.file);
  } finally {
    policy.remove();
  }
  show.end(Math.round(performance.now() - since));
}

async function runSteps(context: Context, flags: DemoFlags, show: Transcript, policyFile: string): Promise<void> {
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
      await showSnapshot(context, host, show, {
        what: 'Calculator',
        command: ['gnome-calculator'],
        lines: [/textbox/, /"[789]"/, /"[456]"/, /"[123]"/],
      });
      const ask = toolCaller(context, host);
      await compute(ask, show);
      // Next to the editor, so that the screenshot shows both.
      await ask('ui_window', { action: 'move', window: 'Calculator', x: 120, y: 120 });
      await launch(context, host, ['mousepad']);
      await writeNote(ask, show, join(details.env.HOME ?? '', 'Documents', 'notes.txt'));
      await tryRefusedAct(ask, show);
      // Brings the calculator to the front for the screenshot. As an act, it also makes the log sign everything before
      // it.
      await ask('ui_window', { action: 'focus', window: 'Calculator' });
      showLog(show, await desktops.logPlaces(name));
      const file = await saveScreenshot(host, `${name}.png`);
      show.aside(`screenshot of the desktop: ${file}`);
      show.facts.picture = file;
    });
  } finally {
    await stopIfRunning(context, name);
    if (context.signal.aborted) show.print('Stopped. Nothing is left running.\n');
  }
}

function refuseDesktop({ desktop }: Flags): void {
  if (desktop === undefined) return;
  throw new DesktopError('bad_arguments', 'The demo starts its own private desktop.', {
    hint: 'Omit --desktop.',
  });
}

interface DemoApp {
  what: string;
  command: readonly [string, ...string[]];
  /** Snapshot lines to show. */
  lines: readonly RegExp[];
}

async function showSnapshot(context: Context, host: HostClient, show: Transcript, subject: DemoApp): Promise<void> {
  const [command] = subject.command;
  const { window } = await launch(context, host, subject.command);
  const { text, count, ms } = await settledSnapshot(host, window.ref, context.signal);
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

function launch({ signal }: Context, host: HostClient, [command, ...args]: DemoApp['command']): Promise<LaunchAnswer> {
  return host.request<LaunchAnswer>('launch', { command, args }, { signal });
}

function toolCaller({ signal }: Context, host: HostClient): CallTool {
  return async (tool, args) => {
    const waiting = WITHOUT_TIMEOUT.has(tool) ? {} : { timeoutMs: CALL_TIMEOUT_MS };
    const call = { tool, args: { ...args, ...waiting }, caller: 'cli:demo', want: 'both' };
    const { json = {}, text = '' } = await host.request<CallAnswer>('call', call, { signal });
    return { json, text };
  };
}

/** A new app is still filling its window, so this takes snapshots until two in a row have the same size. */
async function settledSnapshot(
  host: HostClient,
  window: string,
  signal: AbortSignal,
): Promise<{ text: string; count: number; ms: number }> {
  const until = performance.now() + SETTLE_TIMEOUT_MS;
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
  const { packages, install } = await missingPackages(APPS, env);
  if (packages.length === 0) return;
  throw new DesktopError(
    'driver_unavailable',
    `The demo needs ${packages.join(', ')}, which ${packages.length === 1 ? 'is' : 'are'} not installed.`,
    {
      hint: install,
    },
  );
}

/** Saves the screenshot in the current directory or, if that is not writable, in the temporary directory. */
async function saveScreenshot(host: HostClient, file: string): Promise<string> {
  try {
    await saveDesktopScreenshot(host, file, 'wx');
    return file;
  } catch (error) {
    if (!(error instanceof DesktopError && error.code === 'command_failed')) throw error;
    const elsewhere = join(tmpdir(), file);
    await saveDesktopScreenshot(host, elsewhere, 'wx');
    return elsewhere;
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
