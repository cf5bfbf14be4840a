import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  missingFor,
  type CallAnswer,
  type DesktopDetails,
  type HostClient,
  type LaunchAnswer,
} from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { estimateTokens, withoutMarks } from '../../tree/index.js';
import { colourText } from './colour-text.js';
import { printJson } from './call-tool.js';
import { closing, type Context, type Flags } from './context.js';
import { savePicture } from './desktop/view.js';
import { stopIfRunning } from './desktop/stop.js';

const APPS = ['gnome-calculator', 'mousepad'];
const NOTES = 'Groceries: apples, bread, 2 kg of flour\nCall Ada about the engine\nhéllo 日本 😀\n';
const TITLE = 'Deskwright demo: a private desktop, two real apps, nothing of yours is touched.\n';
const SETTLE_WITHIN_MS = 5_000;

/** A private desktop, two real apps, looked at. Everything it makes is gone at the end, but the picture. */
export async function demo(context: Context, flags: Flags): Promise<void> {
  const { desktops } = context;
  refuseDesktop(flags);
  const since = performance.now();
  const show = new Transcript(context, flags.json === true);
  await requirePackages(context);
  // `npm start` has said it already, above what it installed.
  if (!context.env.DESKWRIGHT_TITLE_SHOWN) show.say(TITLE);
  const { name, host } = await desktops.startPrivate({ prefix: 'demo', leash: true, signal: context.signal });
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
      const notes = join(details.env.HOME ?? '', 'Documents', 'notes.txt');
      writeFileSync(notes, NOTES, { mode: 0o600 });
      await look(context, host, show, {
        what: 'Mousepad with notes.txt',
        command: ['mousepad', notes],
        lines: [/menuitem/, /textbox|document/],
      });
      const file = await keepPicture(host, `${name}.png`);
      show.aside(`picture of the desktop: ${file}`);
      show.facts.picture = file;
    });
  } finally {
    await stopIfRunning(context, name);
    if (context.signal.aborted) show.say('Stopped. Nothing left running.\n');
  }
  show.end(Math.round(performance.now() - since));
}

function refuseDesktop({ desktop }: Flags): void {
  if (desktop === undefined) return;
  throw new DesktopError('bad_arguments', 'The demo makes a private desktop of its own.', {
    hint: 'leave out --desktop.',
  });
}

/** The steps, numbered, in columns. */
class Transcript {
  /** For programs, printed at the end instead. */
  readonly facts: { steps: object[]; picture?: string } = { steps: [] };

  constructor(
    private readonly context: Context,
    private readonly json: boolean,
  ) {}

  say(text: string): void {
    if (!this.json) this.context.terminal.out(text);
  }

  step(word: string, text: string, facts: object): void {
    const { paint } = this.context.terminal;
    const step = this.facts.steps.push({ step: this.facts.steps.length + 1, what: word, ...facts });
    this.say(`${paint('cyan', String(step))} ${paint('bold', word.padEnd(9))} ${text}\n`);
  }

  aside(text: string): void {
    this.say(`${' '.repeat(12)}${text}\n`);
  }

  end(ms: number): void {
    const { paint } = this.context.terminal;
    if (this.json) return printJson(this.context, { schema: 1, untrusted: true, ...this.facts, ms });
    this.say(`Done in ${Math.round(ms / 1000)} s. Desktop stopped, nothing left running.\n`);
    this.say(`Next:  npx deskwright doctor           ${paint('grey', 'what works on your own screen')}\n`);
    this.say(`       npx deskwright desktop start    ${paint('grey', 'a private desktop to try things in')}\n`);
    this.say(`       npx deskwright --help           ${paint('grey', 'everything it can do')}\n`);
  }

  /** App text: cut to the terminal's width, cleaned, in the colours of a look. */
  excerpt(lines: readonly string[]): void {
    const { terminal } = this.context;
    const room = Math.max(40, terminal.columns - 15);
    for (const line of lines) {
      const shown = line.length > room ? `${line.slice(0, room - 1)}…` : line;
      this.aside(`  ${colourText(shown, terminal.paint)}`);
    }
  }
}

interface Subject {
  what: string;
  command: readonly [string, ...string[]];
  /** Which lines of the look are worth showing. */
  lines: readonly RegExp[];
}

async function look(context: Context, host: HostClient, show: Transcript, subject: Subject): Promise<void> {
  const { signal } = context;
  const [command, ...args] = subject.command;
  const { window } = await host.request<LaunchAnswer>('launch', { command, args }, { signal });
  const { text, count, ms } = await settledLook(host, window.ref, signal);
  const all = withoutMarks(text)
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
    const call = { tool: 'ui_snapshot', args: { window }, caller: 'demo', want: 'text' };
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
