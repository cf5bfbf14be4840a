import { DesktopError } from '../../../shared/index.js';
import { lastingLine, readingLines, readSelector, type SelectorReading } from '../../../tools/index.js';
import { withUntrustedMarkers } from '../../../tree/index.js';
import { requestTool, callTool, printJson, printText } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';

export interface SelectorFlags extends Flags {
  window?: string;
}

export async function explainSelector(context: Context, text: string, flags: SelectorFlags): Promise<void> {
  // Reports a syntax error before it contacts a desktop.
  const reading = readSelector(text);
  try {
    await callTool(context, 'ui_query', { target: text, window: flags.window, explain: true }, flags);
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    if (isNoDesktop(error, context, flags)) return printWithoutDesktop(context, reading, error, flags);
    // With --json, the error contains the explanation.
    if (!flags.json) printReading(context, (error.details?.explained as SelectorReading | undefined) ?? reading);
    throw error;
  }
}

/** No desktop was named and none exists: the selector can only be explained. */
function isNoDesktop({ code }: DesktopError, context: Context, { desktop }: Flags): boolean {
  return code === 'driver_unavailable' && !context.inTool && (desktop ?? context.env.DESKPROOF_DESKTOP ?? '') === '';
}

function printWithoutDesktop(context: Context, reading: SelectorReading, error: DesktopError, flags: Flags): void {
  if (flags.json) printJson(context, { schema: 1, explained: reading, desktop: { missing: error.message } });
  else {
    printReading(context, reading);
    context.terminal.out(`not tried ${error.message} ${error.hint ?? ''}\n`);
  }
}

function printReading({ terminal }: Context, reading: SelectorReading): void {
  for (const line of readingLines(reading)) terminal.out(`${safeForTerminal(line)}\n`);
}

interface Described {
  element: { ref: string };
  selector?: Parameters<typeof lastingLine>[0];
}

export async function suggestSelector(context: Context, target: string, flags: SelectorFlags): Promise<void> {
  const { answer, choice } = await requestTool(context, 'ui_describe', { target, window: flags.window }, flags, 'json');
  const { element, selector } = answer.json as unknown as Described;
  if (!selector) {
    throw new DesktopError('element_not_found', `No selector matches only ${element.ref}.`, {
      hint: `Use the ref ${element.ref}.`,
    });
  }
  if (flags.json) printJson(context, { schema: 1, untrusted: true, ref: element.ref, ...selector });
  else printText(context, withUntrustedMarkers(lastingLine(selector)), choice);
}
