import { keysInText, secretAllowedAt, type Secret } from '../../policy/index.js';
import { TaintTracker, TYPED, type SecretStore } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { mayUndo, typedInto } from './keystrokes.js';
import { type CallRequest, targetFacts } from './policy-request.js';
import { keysOf, keystrokes, secretArguments, secretIn, textIn } from './tool-traits.js';

/** Secrets by name, and the typed texts that no answer may contain again. */
export interface Secrecy {
  store?: SecretStore;
  taint: TaintTracker;
  /** Keeps a text out of the log from now on, wherever an app shows it again. */
  withhold?: (text: string, where: { window?: string; title?: string }) => void;
}

export const noSecrets = (): Secrecy => ({ taint: new TaintTracker() });

/** Before anything is asked or done: the call has either a text or the name of a secret that exists. */
export function checkSecretInput({ secrecy }: CallView, request: CallRequest): void {
  const named = secretArguments(request.traits);
  if (!named) return;
  const name = secretIn(request);
  if ((name === undefined) === (request.args[named.text] === undefined)) {
    throw new DesktopError('bad_arguments', `${request.tool} takes ${named.text} or ${named.secret}, one of them.`, {
      hint: `give ${named.text}, or ${named.secret} with the name of one.`,
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

/** Once the target is known: plain text for a password field is a secret from now on, whether it is typed or not. */
export function notePlainText(
  { secrecy }: CallView,
  request: CallRequest,
  { target, window: place, lands }: ActionPlan,
): void {
  const text = textIn(request) ?? '';
  if (request.args.redactInLogs === true && text !== '') {
    secrecy.withhold?.(text, place ? { window: place.id, title: place.title } : {});
  }
  const keys = keystrokes(request);
  if (keys !== undefined && place && mayUndo(keys)) secrecy.taint.restoreAfterUndo(place.id);
  const into = target ?? lands?.target;
  if (!into?.element.states.secret) return;
  const field = { name: TYPED, window: into.window.id, title: into.window.title, field: into.element.id };
  if (keys !== undefined) secrecy.taint.keyed(field, (before) => typedInto(before, keys));
  else if (text !== '') secrecy.taint.typed({ ...field, value: text });
}

/** The secret contains Enter or Tab, which were not authorized yet. Nothing is done before they are. */
interface Presses {
  presses: string[];
}

/** Gives the tool its arguments with the value of the secret in place of the text. From now on it is redacted everywhere. */
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
  // Decided for the field itself, whatever else the act triggers.
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
    return await uncounted(log, () => work({ ...request.args, [secretArguments(request.traits)!.text]: text }));
  } catch (error) {
    throw error instanceof DesktopError ? withoutLength(error) : error;
  } finally {
    value.wipe();
  }
}

/** Events during the work are reported, but not how many: their number would reveal the length of the secret. */
async function uncounted<T>(log: CallView['events'], work: () => Promise<T>): Promise<T> {
  const end = log.secretTyped();
  try {
    return await work();
  } finally {
    end();
  }
}

/** A field whose whole value was replaced by a text that is no secret may be read again. */
export function releaseTaint({ secrecy }: CallView, request: CallRequest, { target }: ActionPlan): void {
  const { text } = request.traits;
  if (text === 'none' || text.to !== 'value') return;
  if (secretIn(request) !== undefined || !target || target.element.states.secret) return;
  secrecy.taint.clearField(target.element.id);
}

/** How far the typing came would reveal the length of the secret. */
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
