import {
  ElicitResultSchema,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { PendingQuestion, HostClient } from '../../host/index.js';
import { formatArgument, formatWhole, isTooFast } from '../../shared/index.js';
import { quote } from '../../tree/index.js';

type Scope = PendingQuestion['widest'];

const SCOPES: readonly Scope[] = ['once', 'session', 'app'];
const TITLES: Readonly<Record<'deny' | Scope, string>> = {
  deny: 'No',
  once: 'Yes, this once',
  session: 'Yes, this tool in this program until the session ends',
  app: 'Yes, every act in this program up to medium risk, until the session ends',
};
/** Whether the client can show a form to its user. */
export const supportsForms = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.elicitation?.form !== undefined;

/** Sends a request to the client. */
export type SendRequest = (
  request: { method: 'elicitation/create'; params: ElicitRequestFormParams },
  schema: typeof ElicitResultSchema,
  options: { signal: AbortSignal; timeout: number },
) => Promise<ElicitResult>;

/**
 * Shows an approval request to the client's user, in parallel with the other channels. Only an explicit choice counts.
 * A form that is empty, cancelled or failed is not an answer, and the request stays open on the other channels. An
 * answer that came too fast is passed on with its time: the host drops and counts it (`PendingApprovals.answer`).
 */
export async function elicitAnswer(
  send: SendRequest,
  host: Pick<HostClient, 'request'>,
  question: PendingQuestion,
  signal: AbortSignal,
): Promise<void> {
  if (!question.channels.includes('mcp')) return;
  const timeout = Math.max(1, question.expiresAt - Date.now());
  const since = performance.now();
  const request = { method: 'elicitation/create' as const, params: approvalForm(question) };
  const result = await askUntilAborted(signal, (asking) =>
    send(request, ElicitResultSchema, { signal: asking, timeout }),
  );
  const tookMs = performance.now() - since;
  const answer = result && readAnswer(result, question.widest);
  // A non-answer is reported only if it came too fast to be read: the host counts those.
  if (!result || signal.aborted || (!answer && !isTooFast('mcp', tookMs))) return;
  const scope = !answer || answer === 'deny' ? {} : { scope: answer };
  const heard = { id: question.id, channel: 'mcp', tookMs, ...scope };
  // The request may have been answered elsewhere or have expired; the host knows, and nothing is left to do here.
  await host.request('answer', heard).catch(() => undefined);
}

/**
 * The SDK cancels a request when its signal aborts, even if it was answered long ago. It gets a signal that ends with
 * the answer.
 */
async function askUntilAborted(
  signal: AbortSignal,
  ask: (asking: AbortSignal) => Promise<ElicitResult>,
): Promise<ElicitResult | undefined> {
  const asking = new AbortController();
  const callOff = (): void => asking.abort(signal.reason);
  if (signal.aborted) callOff();
  signal.addEventListener('abort', callOff, { once: true });
  try {
    return await ask(asking.signal);
  } catch {
    // A form that failed is not an answer, whatever the reason.
    return undefined;
  } finally {
    signal.removeEventListener('abort', callOff);
  }
}

/** Both ways to deny count as a denial. Anything unclear is not an answer. */
export function readAnswer({ action, content }: ElicitResult, widest: Scope): 'deny' | Scope | undefined {
  if (action === 'decline') return 'deny';
  if (action !== 'accept') return undefined;
  const word = content?.answer;
  return offeredChoices(widest).find((one) => one === word);
}

const offeredChoices = (widest: Scope): ('deny' | Scope)[] => ['deny', ...SCOPES.slice(0, SCOPES.indexOf(widest) + 1)];

/** A single choice without a default, so that pressing Enter does not approve. Text from the screen is quoted. */
export function approvalForm({ shown, widest }: PendingQuestion): ElicitRequestFormParams {
  const { what, why, program, pages = [], reason, args, screen, changed } = shown;
  const given = Object.entries(args).filter(([key]) => key !== 'target' && key !== 'window' && args[key] !== undefined);
  const isShortened = given.some(([, value]) => formatArgument(value) !== formatWhole(value));
  const lines = [
    `May the agent do this? ${what}`,
    ...(program === undefined ? [] : [`program ${program} (reported by the operating system)`]),
    ...(pages.length === 0 ? [] : [`page ${pages.join(' in ')} (reported by the browser)`]),
    `${why}${reason === undefined ? '' : `: ${reason}`}`,
    ...given.map(([name, value]) => `with ${name} ${formatArgument(value)}`),
    ...(isShortened ? ['The arguments are shortened here. To read all of them: deskproof approvals'] : []),
    ...(changed ? [`changed since you were asked first: ${changed.join(', ')}`] : []),
    ...(screen?.window === undefined ? [] : [`in the window ${quote(screen.window)} (text from the app)`]),
  ];
  const options = offeredChoices(widest);
  return {
    mode: 'form',
    message: lines.join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'Answer', enum: options, enumNames: options.map((one) => TITLES[one]) },
      },
      required: ['answer'],
    },
  };
}
