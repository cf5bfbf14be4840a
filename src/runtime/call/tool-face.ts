import type { z } from 'zod';
import type { ToolTraits } from '../request/tool-traits.js';

/** What a tool may do to the desktop, in the terms of the policy. */
type ToolClass = 'read' | 'capture' | 'act' | 'raw';

/** The names of a tool's arguments. */
export type ArgumentOf<Input extends z.ZodObject> = Extract<keyof z.input<Input>, string>;

/** What every tool declares: for policy and log, for surfaces, and for the docs. */
export interface ToolFace<Input extends z.ZodObject = z.ZodObject, Result extends object = object> {
  readonly name: string;
  readonly class: ToolClass;
  readonly description: string;
  /** What it means to policy, approvals and the audit log. */
  readonly traits: ToolTraits<ArgumentOf<Input>>;
  /** Its form on the command line. `none`: for internal use, no surface offers it. */
  readonly cli: CommandShape<ArgumentOf<Input>> | 'none';
  /** Plain types only: surfaces derive flags and listings from it. */
  readonly input: Input;
  /** A second call has no further effect. Clients see this. */
  readonly repeatable?: true;
  /** It destroys nothing. Clients see this. */
  readonly harmless?: true;
  /** Fields that are accepted and documented, but not listed to models. */
  readonly quiet?: readonly string[];
  /** Time limit, unless the caller sets another one. */
  readonly timeoutMs: number;
  /** Time limit for a call with these arguments. */
  limitMs?(args: z.output<Input>): number;
  /** For models and pipes: app text only in quotes or between marks. */
  text(result: Result): string;
  /** For programs; absent: the result itself. `perform` adds `schema: 1`. */
  json?(result: Result): object;
}

/** The command-line form of a tool, beyond its schema. It is written into the build, so it is plain data. */
export interface CommandShape<Argument extends string = string> {
  readonly group: 'Look' | 'Act' | 'Check' | 'Serve';
  readonly positionals?: readonly Argument[];
  readonly shortFlags?: Readonly<Partial<Record<Argument, string>>>;
  /** Usage in the overview, if it differs from the schema. */
  readonly usage?: string;
  /** The last positional takes all remaining words. */
  readonly takesRest?: boolean;
  /** This field is read as JSON from a file, or from standard input with `-`. */
  readonly fromFile?: Argument;
  /** This flag replaces the first positional: `type --secret pin textbox:PIN`. */
  readonly replacedBy?: Argument;
  /** `--at X,Y` sets x and y. */
  readonly acceptsPoint?: boolean;
  /** `-o FILE` saves the image of the answer. */
  readonly savesFile?: boolean;
  /** `--follow` prints new events until Ctrl-C. */
  readonly follows?: boolean;
  /**
   * Help for arguments that have no description in the schema: a description there costs tokens in every conversation
   * with a model.
   */
  readonly help?: Readonly<Partial<Record<Argument, string>>>;
  /** Command lines and what they do. */
  readonly examples: readonly (readonly [line: string, what: string])[];
}

/** A part of a sentence: our own text, or quoted because it came from a screen or a caller. */
export type SentencePart = string | { quoted: string };

/** How logs and replays name a recorded call: `Click button “Save” in “notes.txt”`. */
export interface LogSentence {
  /** The start of the sentence. The arguments come from a file and may be anything. */
  verb(args: Readonly<Record<string, unknown>>): (SentencePart | undefined)[];
  /** Preposition before the target. */
  readonly at?: string;
  /** It changes the window itself, so that is named without `in`. */
  readonly ofWindow?: true;
}
