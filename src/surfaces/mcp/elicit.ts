import {
  ElicitResultSchema,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { AskedQuestion, HostClient } from '../../host/index.js';
import { formatArgument, READING_MS } from '../../shared/index.js';
import { quote } from '../../tree/index.js';

type Scope = AskedQuestion['widest'];

const SCOPES: readonly Scope[] = ['once', 'session', 'app'];
const TITLES: Readonly<Record<'deny' | Scope, string>> = {
  deny: 'No',
  once: 'Yes, this once',
  session: 'Yes, this tool in this program until the session ends',
  app: 'Yes, every act in this program up to medium risk, until the session ends',
};
/** Whether a client says that it can put a form to a person. */
export const canAsk = (capabilities: ClientCapabilities | undefined): boolean =>
  capabilities?.elicitation?.form !== undefined;

/** How a client is asked: its answer to one request of ours. */
export type SendRequest = (
  request: { method: 'elicitation/create'; params: ElicitRequestFormParams },
  schema: typeof ElicitResultSchema,
  options: { signal: AbortSignal; timeout: number },
) => Promise<ElicitResult>;

/**
 * Puts a question to the client's person, beside whoever else sees it. Only a plain word counts: a form that comes back
 * without one, is called off, fails or comes too soon for anybody to have read it is no answer, and the question goes on
 * where else it is open.
 */
export async function elicitAnswer(
  send: SendRequest,
  host: Pick<HostClient, 'request'>,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<void> {
  if (!question.channels.includes('mcp')) return;
  const timeout = Math.max(1, question.expiresAt - Date.now());
  const since = performance.now();
  const request = { method: 'elicitation/create' as const, params: formOf(question) };
  const said = await until(signal, (asking) => send(request, ElicitResultSchema, { signal: asking, timeout }));
  const tookMs = performance.now() - since;
  const answer = said && answerIn(said, question.widest);
  // What is no answer is told only where it shows that nobody reads there: the host counts that.
  if (!said || signal.aborted || (!answer && tookMs >= READING_MS)) return;
  const scope = !answer || answer === 'deny' ? {} : { scope: answer };
  const heard = { id: question.id, channel: 'mcp', tookMs, ...scope };
  // It may have been answered elsewhere, or be over: the host says so, and nobody here needs to know.
  await host.request('answer', heard).catch(() => undefined);
}

/** The SDK calls off what has long been answered when its signal comes: it gets one that ends with the answer. */
async function until(
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
    // A form that failed is no answer, whatever was wrong with it.
    return undefined;
  } finally {
    signal.removeEventListener('abort', callOff);
  }
}

/** A no is a no in either way; anything unclear is nothing. */
export function answerIn({ action, content }: ElicitResult, widest: Scope): 'deny' | Scope | undefined {
  if (action === 'decline') return 'deny';
  if (action !== 'accept') return undefined;
  const word = content?.answer;
  return offered(widest).find((one) => one === word);
}

const offered = (widest: Scope): ('deny' | Scope)[] => ['deny', ...SCOPES.slice(0, SCOPES.indexOf(widest) + 1)];

/** One choice without a default, so that nobody says yes by pressing Enter. What the screen says is quoted. */
export function formOf({ shown, widest }: AskedQuestion): ElicitRequestFormParams {
  const { what, why, program, reason, args, screen, changed } = shown;
  const given = Object.entries(args).filter(([key]) => key !== 'target' && key !== 'window' && args[key] !== undefined);
  const lines = [
    `May the agent do this? ${what}`,
    ...(program === undefined ? [] : [`program ${program}, by the system`]),
    `${why}${reason === undefined ? '' : `: ${reason}`}`,
    ...given.map(([name, value]) => `with ${name} ${formatArgument(value)}`),
    ...(changed ? [`changed since you were asked first: ${changed.join(', ')}`] : []),
    ...(screen?.window === undefined ? [] : [`in the window ${quote(screen.window)} (the app's own words)`]),
  ];
  const options = offered(widest);
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
