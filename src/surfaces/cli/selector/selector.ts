import { DesktopError } from '../../../shared/index.js';
import { lastingLine, readingLines, readSelector, type SelectorReading } from '../../../tools/index.js';
import { withUntrustedMarkers } from '../../../tree/index.js';
import { askTool, callTool, printJson, printText } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';

export interface SelectorFlags extends Flags {
  window?: string;
}

export async function explainOn(context: Context, text: string, flags: SelectorFlags): Promise<void> {
  // A mistake is told before any desktop is asked.
  const reading = readSelector(text);
  try {
    await callTool(context, 'ui_query', { target: text, window: flags.window, explain: true }, flags);
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    if (isNoDesktop(error, context, flags)) return tellWithoutDesktop(context, reading, error, flags);
    // In JSON the error carries what was explained.
    if (!flags.json) tellReading(context, (error.details?.explained as SelectorReading | undefined) ?? reading);
    throw error;
  }
}

/** Nobody named a desktop and there is none: then the meaning of the selector is all that can be asked for. */
function isNoDesktop({ code }: DesktopError, context: Context, { desktop }: Flags): boolean {
  return code === 'driver_unavailable' && !context.inTool && (desktop ?? context.env.DESKPROOF_DESKTOP ?? '') === '';
}

function tellWithoutDesktop(context: Context, reading: SelectorReading, error: DesktopError, flags: Flags): void {
  if (flags.json) printJson(context, { schema: 1, explained: reading, desktop: { missing: error.message } });
  else {
    tellReading(context, reading);
    context.terminal.out(`not tried ${error.message} ${error.hint ?? ''}\n`);
  }
}

function tellReading({ terminal }: Context, reading: SelectorReading): void {
  for (const line of readingLines(reading)) terminal.out(`${safeForTerminal(line)}\n`);
}

interface Described {
  element: { ref: string };
  selector?: Parameters<typeof lastingLine>[0];
}

export async function suggestFor(context: Context, target: string, flags: SelectorFlags): Promise<void> {
  const { answer, choice } = await askTool(context, 'ui_describe', { target, window: flags.window }, flags, 'json');
  const { element, selector } = answer.json as unknown as Described;
  if (!selector) {
    throw new DesktopError('element_not_found', `No selector finds ${element.ref} alone.`, {
      hint: `use the ref: ${element.ref}.`,
    });
  }
  if (flags.json) printJson(context, { schema: 1, untrusted: true, ref: element.ref, ...selector });
  else printText(context, withUntrustedMarkers(lastingLine(selector)), choice);
}
