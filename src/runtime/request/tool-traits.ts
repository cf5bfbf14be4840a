import { type Chord, parseKeys } from '../../drivers/contract/index.js';
import { type ActionName, type CallClass, type CallEffects, keysInText, REDACTED } from '../../policy/index.js';
import { withoutLetters, writesText } from './keystrokes.js';

type Args = Readonly<Record<string, unknown>>;

/**
 * What a tool means to policy, approvals and the audit log. Each tool declares it in its own file, and no other table is
 * keyed by tool names. An optional trait that is absent means the stricter behaviour.
 */
export interface ToolTraits<Argument extends string = string> {
  /**
   * Text of the caller, which may be a password. It is not logged unless it is known to go where everybody can read it.
   */
  readonly text: 'none' | CarriedText<Argument>;
  /**
   * It presses the keys that this argument lists. Letters among them are text and are logged like text. Policy files
   * match the argument as `args.keys`, where every name of a key counts, so it has no other name.
   */
  readonly keys: 'none' | { readonly argument: Argument & 'keys' };
  /** What the tool does, in the terms of the risk model. Only reads have no risk. */
  readonly risk: 'none' | ActionName | RiskByArguments;
  /** The windows that a call is about if its arguments name none. */
  readonly place: 'active-window' | 'any-window' | 'no-window';
  /** The name of the tool whose rules apply to controls that the keys trigger: Enter may press a button. */
  readonly clicksRuledAs?: string;
  /** It starts a program: launch rules and the launch limit apply. */
  readonly launches?: true;
  /** A grant for an app covers it. Absent: each call, or the session, needs its own approval. */
  readonly appGrant?: true;
  /** It reports why nothing works, so it also runs after an emergency stop and where windows cannot be listed. */
  readonly diagnostic?: true;
  /** A replay repeats it although it is a read: it waits for a state, or checks one. */
  readonly synchronises?: true;
  /** The class of a call with these arguments, if it is stricter than the class of the tool. */
  classFor?(args: Args): CallClass | undefined;
}

/** An act always has a risk. */
export type ActTraits<Argument extends string = string> = ToolTraits<Argument> & {
  readonly risk: ActionName | RiskByArguments;
};

interface RiskByArguments {
  /** The action of a call with these arguments. */
  of(args: Args): string;
  /** All actions that matter while the arguments are not known. */
  readonly possible: readonly ActionName[];
}

type CarriedText<Argument extends string> = {
  readonly argument: Argument;
} & (
  | {
      /** It is typed key by key, so a line break presses Enter. */
      readonly to: 'caret';
      /** The argument that names a secret, instead of the text. */
      readonly secret: Argument;
      /** The argument that presses Enter afterwards. */
      readonly enter: Argument;
      /** Policy rules for this tool also apply to the keys that the text presses. */
      readonly keysRuledAs: string;
    }
  | {
      /** It becomes the whole value of a field. */
      readonly to: 'value';
      readonly secret: Argument;
      /** The argument that presses Enter afterwards, if there is one. Rules for the tool `ruledAs` apply to that Enter. */
      readonly enter?: { readonly argument: Argument; readonly ruledAs: string };
    }
  /** It does not go into a field: the clipboard. */
  | { readonly to: 'elsewhere' }
);

/** The traits of a tool that only reads. It adds its `place`. */
export const READ_TRAITS = { text: 'none', keys: 'none', risk: 'none' } as const;

/** The part of a call that its traits are applied to. */
interface TraitedCall {
  args: Args;
  traits: ToolTraits;
  /** Keys that its secret presses, once that is known. */
  presses?: readonly string[];
}

/**
 * What a call does, for the policy. Without arguments: everything that it may do. `flags`: the arguments, even if the
 * policy may not know the text among them.
 */
export function effectsOf({ text, keys, risk, launches }: ToolTraits, args?: Args, flags = args): CallEffects {
  // A value presses no key, except Enter at its end.
  const keysRuledAs = text === 'none' || text.to === 'elsewhere' ? undefined : keysRuledBy(text, flags);
  return {
    does: [
      ...(keys !== 'none' ? (['press'] as const) : []),
      ...(keysRuledAs !== undefined ? (['type'] as const) : []),
      ...(text !== 'none' && text.to === 'value' ? (['write'] as const) : []),
      ...(launches ? (['launch'] as const) : []),
    ],
    actions: actionsOf(risk, args),
    ...(keysRuledAs !== undefined && { keysRuledAs }),
  };
}

function keysRuledBy(text: Exclude<CarriedText<string>, { to: 'elsewhere' }>, flags?: Args): string | undefined {
  if (text.to === 'caret') return text.keysRuledAs;
  return !flags || flags[text.enter?.argument ?? ''] === true ? text.enter?.ruledAs : undefined;
}

function actionsOf(risk: ToolTraits['risk'], args: Args | undefined): readonly string[] {
  if (risk === 'none') return [];
  if (typeof risk === 'string') return [risk];
  return args ? [risk.of(args)] : risk.possible;
}

/** The arguments as they may be logged and matched by rules. `plain`: the text goes where everybody can read it. */
export function loggableArgs({ args, traits }: TraitedCall, plain: boolean): Record<string, unknown> {
  if (plain && args.redactInLogs !== true) return { ...args };
  const { text, keys } = traits;
  const written = { ...args };
  if (text !== 'none' && args[text.argument] !== undefined) written[text.argument] = REDACTED;
  if (keys !== 'none' && typeof args[keys.argument] === 'string')
    written[keys.argument] = withoutLetters(args[keys.argument] as string);
  return written;
}

/** The keys that the call lists: pressed one after the other, they are text as well. */
export function keystrokes({ args, traits: { keys } }: TraitedCall): string | undefined {
  const listed = keys === 'none' ? undefined : args[keys.argument];
  return typeof listed === 'string' ? listed : undefined;
}

export function carriesText(call: TraitedCall): boolean {
  const keys = keystrokes(call);
  if (keys !== undefined && writesText(keys)) return true;
  const { text } = call.traits;
  return text !== 'none' && call.args[text.argument] !== undefined;
}

/** The text of the call, if it has one. */
export function textIn({ args, traits: { text } }: TraitedCall): string | undefined {
  const given = text === 'none' ? undefined : args[text.argument];
  if (typeof given === 'number') return String(given);
  return typeof given === 'string' ? given : undefined;
}

/** The arguments for text and for the name of a secret, of tools that take a secret. */
export function secretArguments({ text }: ToolTraits): { text: string; secret: string } | undefined {
  return text === 'none' || text.to === 'elsewhere' ? undefined : { text: text.argument, secret: text.secret };
}

/** The name of the secret that a call uses instead of a text. */
export function secretIn({ args, traits }: TraitedCall): string | undefined {
  const named = secretArguments(traits);
  const name = named && args[named.secret];
  return typeof name === 'string' ? name : undefined;
}

/**
 * The keys of a call one after the other, those of a typed text included. Undefined: it presses none, or they are not
 * known.
 */
export function chordsOf(call: TraitedCall): Iterable<Chord> | undefined {
  const listed = keystrokes(call);
  if (listed !== undefined) return parseKeys(listed);
  const { args, traits, presses = [] } = call;
  if (traits.text === 'none' || traits.text.to === 'elsewhere') return undefined;
  if (traits.text.to === 'value') return entersValue(traits, args) ? typedChords('', true) : undefined;
  const typed = textIn(call);
  const secret = presses.map((key) => (key === 'tab' ? '\t' : '\n')).join('');
  if (typed === undefined && args[traits.text.secret] === undefined) return undefined;
  return typedChords(typed ?? `…${secret}`, args[traits.text.enter] === true);
}

const entersValue = ({ text }: ToolTraits, args: Args): boolean =>
  text !== 'none' && text.to === 'value' && text.enter !== undefined && args[text.enter.argument] === true;

/** The character of a secret is not known: any other letter stands for it. */
function* typedChords(text: string, enter: boolean): Generator<Chord> {
  for (const character of text) {
    const key =
      character === '\t' ? 'Tab' : /[\r\n]/.test(character) ? 'Enter' : character === ' ' ? 'Space' : character;
    yield { key, modifiers: [] };
  }
  if (enter) yield { key: 'Enter', modifiers: [] };
}

/** What it presses: keys by name, and Enter or Tab in a text. Undefined: it presses none, or they are not known. */
export function keysOf(call: TraitedCall): string[] | undefined {
  const listed = keystrokes(call);
  if (listed !== undefined) return parseKeys(listed).map(({ modifiers, key }) => [...modifiers, key].join('+'));
  const { args, traits, presses = [] } = call;
  const { text } = traits;
  if (text === 'none' || text.to === 'elsewhere') return undefined;
  if (text.to === 'value') return entersValue(call.traits, args) ? keysInText('', true) : undefined;
  const typed = args[text.argument] ?? (args[text.secret] === undefined ? undefined : '');
  if (typeof typed !== 'string') return undefined;
  return [...new Set([...keysInText(typed, args[text.enter] === true), ...presses])];
}
