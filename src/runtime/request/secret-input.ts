import { keysInText, secretAllowedAt, type Secret } from '../../policy/index.js';
import { TaintTracker, TYPED, type SecretStore } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { type CallRequest, targetFacts, keysOf, mayUndo, keystrokes, typedInto } from './policy-request.js';

/** Secrets by name, and what must not come back of those that were typed. */
export interface Secrecy {
  store?: SecretStore;
  taint: TaintTracker;
  /** Keeps a text out of the log from here on, wherever an app shows it again. */
  withhold?: (text: string, where: { window?: string; title?: string }) => void;
}

export const noSecrets = (): Secrecy => ({ taint: new TaintTracker() });

/** Where each tool takes its text; a secret takes its place. */
const TEXT: Readonly<Record<string, string>> = { ui_type: 'text', ui_set_value: 'value' };

/** The name of the secret that a call types, if it does. */
export const secretIn = ({ tool, args }: CallRequest): string | undefined =>
  tool in TEXT && typeof args.secret === 'string' ? args.secret : undefined;

/** Before anything is asked or done: a text or the name of a secret that there is, and not both. */
export function checkSecretInput({ secrecy }: CallView, request: CallRequest): void {
  const field = TEXT[request.tool];
  if (field === undefined) return;
  const name = secretIn(request);
  if ((name === undefined) === (request.args[field] === undefined)) {
    throw new DesktopError('bad_arguments', `${request.tool} takes ${field} or secret, one of them.`, {
      hint: `give ${field}, or secret with the name of one.`,
    });
  }
  if (name === undefined) return;
  if (!secrecy.store) {
    throw new DesktopError('bad_arguments', 'There are no secrets here.', {
      hint: 'a person names them in the policy: secrets.',
    });
  }
  secrecy.store.check(name);
}

/** As soon as it is known where it goes: plain text for a password field is a secret from here on, done or not. */
export function notePlainText(
  { secrecy }: CallView,
  { tool, args }: CallRequest,
  { target, window: place, lands }: ActionPlan,
): void {
  const given = args[TEXT[tool] ?? ''];
  const text = typeof given === 'number' ? String(given) : given;
  if (args.redactInLogs === true && typeof text === 'string' && text !== '') {
    secrecy.withhold?.(text, place ? { window: place.id, title: place.title } : {});
  }
  const keys = keystrokes({ tool, args });
  if (keys !== undefined && place && mayUndo(keys)) secrecy.taint.restoreAfterUndo(place.id);
  const into = target ?? lands?.target;
  if (!into?.element.states.secret) return;
  const field = { name: TYPED, window: into.window.id, title: into.window.title, field: into.element.id };
  if (keys !== undefined) secrecy.taint.keyed(field, (before) => typedInto(before, keys));
  else if (typeof text === 'string' && text !== '') secrecy.taint.typed({ ...field, value: text });
}

/** The secret holds Enter or Tab, and nobody was asked about those: nothing is done before that. */
interface Presses {
  presses: string[];
}

/** What the tool gets: the arguments, with the secret itself in its place. From here on it is known everywhere. */
export async function withSecret<T>(
  { secrecy, authorizer, events: log }: CallView,
  request: CallRequest,
  plan: ActionPlan,
  work: (args: CallRequest['args']) => Promise<T>,
): Promise<T | Presses> {
  const name = secretIn(request);
  const { target } = plan;
  const hidden = (target ?? plan.lands?.target)?.element.states.secret === true;
  if (name === undefined) return hidden ? uncounted(log, () => work(request.args)) : work(request.args);
  const secret: Secret | undefined = authorizer.rules.settings?.secrets[name];
  // Of the field itself, whatever else is pressed with it.
  const { facts } = authorizer.decide(request, targetFacts(plan));
  if (!secret || !facts || !target || !secretAllowedAt(secret, facts)) throw otherTarget(name);
  const value = await secrecy.store!.resolve(name);
  try {
    const { window, element } = target;
    const text = value.reveal();
    const known = keysOf(request);
    const presses = known ? keysInText(text) : [];
    if (presses.some((key) => !known?.includes(key))) return { presses };
    const open = !element.states.secret;
    secrecy.taint.typed({ name, value: text, window: window.id, title: window.title, field: element.id, open });
    return await uncounted(log, () => work({ ...request.args, [TEXT[request.tool]!]: text }));
  } catch (error) {
    throw error instanceof DesktopError ? withoutLength(error) : error;
  } finally {
    value.wipe();
  }
}

/** What happens meanwhile is told, and not how often. */
async function uncounted<T>(log: CallView['events'], work: () => Promise<T>): Promise<T> {
  const end = log.secretTyped();
  try {
    return await work();
  } finally {
    end();
  }
}

/** A whole new value, and no secret one: the field may be read again. */
export function releaseTaint({ secrecy }: CallView, request: CallRequest, { target }: ActionPlan): void {
  if (request.tool !== 'ui_set_value' || secretIn(request) !== undefined || !target || target.element.states.secret)
    return;
  secrecy.taint.clearField(target.element.id);
}

/** How far it came would tell how long it is. */
function withoutLength(error: DesktopError): DesktopError {
  const { message, details, ...rest } = error.toJSON();
  if (details?.typed === undefined && !/ after \d+ characters/.test(message)) return error;
  const { typed: _, ...kept } = details ?? {};
  return DesktopError.fromJSON({ ...rest, message: message.replace(/ after \d+ characters/, ''), details: kept });
}

function otherTarget(name: string): DesktopError {
  return new DesktopError('policy_denied', `The secret ${JSON.stringify(name)} is for another target.`, {
    retry: 'no',
    hint: 'see where it may go: secrets in the policy, into.',
    details: { rule: `secrets/${name}` },
  });
}
