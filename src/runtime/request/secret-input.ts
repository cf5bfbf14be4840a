import { describePage, keysInText, type PageAddress, secretRefusal, type SecretRefusal } from '../../policy/index.js';
import { TaintTracker, TYPED, type SecretStore } from '../../secrets/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
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

/** Checked before policy: the call has either a text or the name of an existing secret. */
export function checkSecretInput({ secrecy }: CallView, request: CallRequest): void {
  const named = secretArguments(request.traits);
  if (!named) return;
  const name = secretIn(request);
  if ((name === undefined) === (request.args[named.text] === undefined)) {
    throw new DesktopError('bad_arguments', `${request.tool} takes exactly one of ${named.text} and ${named.secret}.`, {
      hint: `Give ${named.text}, or the name of a secret as ${named.secret}.`,
    });
  }
  if (name === undefined) return;
  if (!secrecy.store) {
    throw new DesktopError('bad_arguments', 'The policy of this desktop defines no secrets.', {
      hint: 'Ask the user to define it under secrets in the policy.',
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
  const { id: window, title, pid } = into.window;
  const field = { name: TYPED, window, title, pid, field: into.element.id };
  if (keys !== undefined) secrecy.taint.keyed(field, (before) => typedInto(before, keys));
  else if (text !== '') secrecy.taint.typed({ ...field, value: text });
}

/** The plan with the web pages around its target, for a call that types a secret. Other calls do not need them. */
export async function withPages(
  view: CallView,
  request: CallRequest,
  plan: ActionPlan,
  deadline: Deadline,
): Promise<ActionPlan> {
  if (secretIn(request) === undefined || !plan.target) return plan;
  return { ...plan, pages: await pagesAround(view, plan.target, deadline) };
}

async function pagesAround(
  { driver }: CallView,
  { element, path }: Target,
  deadline: Deadline,
): Promise<PageAddress[]> {
  if (driver.pages) return driver.pages(element.id, { deadline });
  // A desktop that cannot tell: whatever is in a document may be in a page.
  return [...path, element].some(({ role }) => role === 'document') ? [null] : [];
}

/** Throws unless the secret of the call is meant for this target. Decided for the field itself. */
export function checkSecretTarget({ authorizer }: CallView, request: CallRequest, plan: ActionPlan): void {
  const name = secretIn(request);
  if (name === undefined) return;
  const secret = authorizer.rules.settings?.secrets[name];
  const { facts } = authorizer.decide(request, targetFacts(plan));
  const refusal =
    secret && facts && plan.target && plan.pages
      ? secretRefusal(secret, facts, plan.pages)
      : { why: 'another target' as const };
  if (refusal) throw otherTarget(name, refusal);
}

/**
 * Right before a part of the secret is sent: a page can navigate after the decision. Undefined for a call without a
 * secret.
 */
export function secretGuard(
  view: CallView,
  request: CallRequest,
  plan: ActionPlan,
): ((deadline: Deadline) => Promise<void>) | undefined {
  if (secretIn(request) === undefined) return undefined;
  return async (deadline) => checkSecretTarget(view, request, await withPages(view, request, plan, deadline));
}

/** The secret contains Enter or Tab, which were not authorized yet. Nothing is done before they are. */
interface Presses {
  presses: string[];
}

/** Gives the tool its arguments with the value of the secret in place of the text. From now on it is redacted everywhere. */
export async function withSecret<T>(
  view: CallView,
  request: CallRequest,
  plan: ActionPlan,
  work: (args: CallRequest['args']) => Promise<T>,
): Promise<T | Presses> {
  const { secrecy, events: log } = view;
  const name = secretIn(request);
  const { target } = plan;
  const hidden = (target ?? plan.lands?.target)?.element.states.secret === true;
  if (name === undefined && !hidden) return work(request.args);
  if (name === undefined) return uncounted(log, () => work(request.args)).catch(rethrowWithoutLength);
  checkSecretTarget(view, request, plan);
  const value = await secrecy.store!.resolve(name);
  try {
    const { window, element } = target!;
    const text = value.reveal();
    const known = keysOf(request);
    const presses = known ? keysInText(text) : [];
    if (presses.some((key) => !known?.includes(key))) return { presses };
    const open = !element.states.secret;
    const { id, title, pid } = window;
    secrecy.taint.typed({ name, value: text, window: id, title, pid, field: element.id, open });
    return await uncounted(log, () => work({ ...request.args, [secretArguments(request.traits)!.text]: text }));
  } catch (error) {
    return rethrowWithoutLength(error);
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

function rethrowWithoutLength(error: unknown): never {
  throw error instanceof DesktopError ? withoutLength(error) : error;
}

/** How far the typing came would reveal the length of the secret. */
function withoutLength(error: DesktopError): DesktopError {
  const { message, details, ...rest } = error.toJSON();
  if (details?.typed === undefined && !/ after \d+ characters/.test(message)) return error;
  const { typed: _, ...kept } = details ?? {};
  return DesktopError.fromJSON({ ...rest, message: message.replace(/ after \d+ characters/, ''), details: kept });
}

function otherTarget(name: string, refusal: SecretRefusal): DesktopError {
  const secret = `The secret ${JSON.stringify(name)}`;
  const [message, hint] = explainRefusal(secret, refusal);
  return new DesktopError('policy_denied', message, {
    retry: 'no',
    hint,
    details: { rule: `secrets/${name}` },
  });
}

const SEE_INTO = 'See secrets in the policy: into lists where it may be typed.';

function explainRefusal(secret: string, refusal: SecretRefusal): [message: string, hint: string] {
  switch (refusal.why) {
    case 'no url':
      return [
        `${secret} is for no web page: its into has no url, and the field is in a browser or a page.`,
        'Ask the user to add url to into in the policy, such as https://bank.example/*.',
      ];
    case 'no page':
      return [`${secret} is for a web page, and the field is in none.`, SEE_INTO];
    case 'another page':
      return [`${secret} is for another page. The field is in ${describePage(refusal.page)}.`, SEE_INTO];
    case 'another target':
      return [`${secret} is for another target.`, SEE_INTO];
  }
}
