import { type Chord, parseKeys } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import type { CallRequest } from './policy-request.js';
import { keystrokes } from './tool-traits.js';

const ARROWS = /^(?:Left|Right|Up|Down|Home|End|PageUp|PageDown)$/;

/** Keys that select or copy text, or open a menu that can. */
function takesText({ key, modifiers }: Chord): boolean {
  const has = (name: Chord['modifiers'][number]): boolean => modifiers.includes(name);
  if (has('ctrl') && /^[acx]$/i.test(key)) return true;
  if (has('ctrl') && /^(?:Insert|KP_Insert)$/.test(key)) return true;
  if (has('shift') && (ARROWS.test(key.replace('KP_', '')) || /^(?:KP_)?Delete$/.test(key))) return true;
  return key === 'Menu' || (key === 'F10' && has('shift'));
}

/** The clipboard, or the last selected text (`primary`), that these keys paste. */
function pasted({ key, modifiers }: Chord): 'clipboard' | 'primary' | undefined {
  if (modifiers.includes('ctrl') && /^v$/i.test(key)) return 'clipboard';
  return modifiers.includes('shift') && /^(?:KP_)?Insert$/.test(key) ? 'primary' : undefined;
}

/** Names of menu items and buttons that paste. Others may paste as well: see docs/security.md. */
const PASTES =
  /^(?:paste|einfügen|coller|pegar|incolla|colar|plakken|klistra in|вставить|粘贴|貼上|貼り付け|붙여넣기)/i;
const PRESSES = /click|invoke|toggle|select/;

/**
 * Throws if the act would take text out of an app in which a secret was typed, or out of a password field that its app
 * shows. A copied piece can be too short to be recognised wherever it is pasted.
 */
export async function refuseSecretTransfer(
  view: CallView,
  request: CallRequest,
  plan: ActionPlan,
  clipboardIsSecret: () => Promise<boolean>,
): Promise<void> {
  const chords = parseKeys(keystrokes(request) || 'Escape');
  refuseRevealed(view, request, plan, chords);
  const { taint } = view.secrecy;
  if (taint.empty) return;
  const element = (plan.target ?? plan.lands?.target)?.element;
  const middle = request.args.button === 'middle';
  const sources = chords.map(pasted);
  if (sources.includes('primary') || (middle && (element === undefined || element.states.editable))) throw pastes();
  const named = PRESSES.test(plan.verb) && PASTES.test(element?.name ?? '');
  if (!named && !sources.includes('clipboard')) return;
  if (await clipboardIsSecret()) throw pastes();
}

function refuseRevealed(
  { passwordFields, secrecy }: CallView,
  { args }: CallRequest,
  { verb, target, lands, window, onto, keys }: ActionPlan,
  chords: readonly Chord[],
): void {
  const element = (target ?? lands?.target)?.element;
  const among = [element?.id, onto?.element.id].some((id) => id !== undefined && passwordFields.isRevealed(id));
  const unknown = keys === true && lands !== undefined && !lands.target && window !== undefined;
  // Its label alone may keep it secret while its app shows it: toolkits do not report the difference reliably.
  const holds = element?.states.secret === true && secrecy.taint.fieldMark(element.id) !== undefined;
  const reached = among || holds || (unknown && passwordFields.anyRevealedIn(window.id));
  if (!reached) return;
  const { count, modifiers, button } = args as { count?: number; modifiers?: string[]; button?: string };
  const selects =
    chords.some(takesText) ||
    /drag|context|select/.test(verb) ||
    (count ?? 1) > 1 ||
    modifiers?.includes('shift') ||
    (button !== undefined && button !== 'left');
  if (!selects) return;
  const name = element ? ` ${quote(element.name ?? '')}` : '';
  throw new DesktopError(
    'policy_denied',
    `The password field${name} may show its text, so nothing may be selected or copied there.`,
    {
      retry: 'no',
      hint: 'Replace its value with ui_set_value.',
      details: { rule: 'secrets/revealed' },
    },
  );
}

function pastes(): DesktopError {
  return new DesktopError(
    'policy_denied',
    'The text to paste may come from an app in which a secret was typed. It was not pasted.',
    {
      retry: 'no',
      hint: 'Read the text with ui_read and type it, or replace the clipboard with ui_clipboard first.',
      details: { rule: 'secrets/copied' },
    },
  );
}
