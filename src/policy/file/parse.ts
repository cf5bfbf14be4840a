import { DesktopError, didYouMean } from '../../shared/index.js';
import { listOf } from '../rules/conditions.js';
import { foldText } from '../rules/glob.js';
import { BUILT_IN } from './built-in.js';
import { faultOf, type PolicyFault, quoted } from './faults.js';
import { FIELD_TIERS, type FileTier, PolicyFile } from './schema.js';
import { type PlacedData, readYaml } from './yaml.js';

export interface PolicySource {
  tier: FileTier;
  /** As a person would name it. */
  file: string;
  /** Names that `tool` may have; without them any is taken. */
  tools?: readonly string[];
}

/** A file that was understood. */
export interface ParsedPolicy {
  tier: FileTier;
  file: string;
  policy: PolicyFile;
  /** The line of a rule, by its place in the list. */
  lineOfRule: (index: number) => number;
}

/** Whoever writes more has not written it by hand. */
export const LARGEST_FILE = 256 * 1024;

/** Everything that is wrong with it, or what it says. */
export function readPolicy(text: string, source: PolicySource): ParsedPolicy | { faults: PolicyFault[] } {
  if (text.length > LARGEST_FILE) return { faults: [{ line: 1, column: 1, message: 'It is larger than 256 KB.' }] };
  const yaml = readYaml(text);
  if ('faults' in yaml) return yaml;
  if (typeof yaml.data !== 'object' || yaml.data === null || Array.isArray(yaml.data)) {
    return { faults: [{ line: 1, column: 1, message: 'There is no policy in it.', hint: 'Begin with version: 1.' }] };
  }
  const { version } = yaml.data as { version?: unknown };
  if (version !== undefined && version !== 1) {
    const hint = 'This Deskproof reads version 1.';
    return { faults: [{ ...yaml.placeOf(['version']), message: 'It is written for another version.', hint }] };
  }
  const parsed = PolicyFile.safeParse(yaml.data, { reportInput: false });
  const faults = [
    ...misplaced(yaml, source.tier),
    ...(parsed.error?.issues.flatMap((issue) => faultOf(issue, PolicyFile, yaml)) ?? []),
    ...(parsed.data ? inconsistencies(parsed.data, yaml, source) : []),
  ];
  if (!parsed.data || faults.length > 0) {
    return { faults: faults.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const lineOfRule = (index: number): number => yaml.placeOf(['rules', index]).line;
  return { tier: source.tier, file: source.file, policy: parsed.data, lineOfRule };
}

/** Nothing is started with a file that is not understood to the last field. */
export function parsePolicy(text: string, source: PolicySource): ParsedPolicy {
  const read = readPolicy(text, source);
  if (!('faults' in read)) return read;
  const [first, ...more] = read.faults;
  throw policyFileError(source.file, first!, more);
}

export function policyFileError(file: string, fault: PolicyFault, more: readonly PolicyFault[] = []): DesktopError {
  const { line, column, message, hint } = fault;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new DesktopError('bad_arguments', `${file}, line ${line}: ${message}${others}`, {
    retry: 'no',
    hint: hint ?? 'Correct it there; nothing works with a policy that cannot be read.',
    details: { file, line, column, ...(more.length > 0 && { more }) },
  });
}

const PLACES: Readonly<Record<FileTier, string>> = {
  user: "the user's policy",
  project: "a project's policy",
  managed: 'the managed policy',
};

/** Fields that are known, but not here. */
function misplaced({ data, placeOfKey }: PlacedData, tier: FileTier): PolicyFault[] {
  return Object.entries(FIELD_TIERS).flatMap(([field, tiers]) => {
    const path = field.split('.');
    if (tiers.includes(tier) || !has(data, path)) return [];
    const may = Object.entries(FIELD_TIERS).filter(([name, who]) => who.includes(tier) && !name.includes('.'));
    return [
      {
        ...placeOfKey(path.slice(0, -1), path.at(-1)!),
        message: `${field} may not stand in ${PLACES[tier]}.`,
        hint: `It may hold ${may.map(([name]) => name).join(', ')}${tier === 'user' ? '' : '; windows without unblock'}.`,
      },
    ];
  });
}

function has(data: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  return (
    typeof data === 'object' &&
    data !== null &&
    Object.hasOwn(data, step) &&
    has((data as Record<string, unknown>)[step], rest)
  );
}

/** What no schema of single fields can see. */
function inconsistencies(policy: PolicyFile, yaml: PlacedData, { tools }: PolicySource): PolicyFault[] {
  const faults: PolicyFault[] = [];
  const seen = new Set<string>();
  policy.rules?.forEach(({ name, when }, index) => {
    const path = ['rules', index];
    if (seen.has(name))
      faults.push({ ...yaml.placeOf([...path, 'name']), message: `There are two rules ${quoted(name)}.` });
    seen.add(name);
    for (const tool of listOf(when?.tool ?? [])) {
      if (!tools || tools.includes(tool)) continue;
      const guess = didYouMean(tool, tools);
      const hint = guess ? `Did you mean ${guess}?` : `There are ${tools.join(', ')}.`;
      faults.push({ ...yaml.placeOf([...path, 'when', 'tool']), message: `There is no tool ${quoted(tool)}.`, hint });
    }
  });
  policy.windows?.unblock?.forEach((pattern, index) => {
    if (BUILT_IN.blocked.some((one) => foldText(one) === foldText(pattern))) return;
    const guess = didYouMean(pattern.replace(/\*/g, ''), BUILT_IN.blocked);
    faults.push({
      ...yaml.placeOf(['windows', 'unblock', index]),
      message: `${quoted(pattern)} is no built-in pattern.`,
      hint: guess ? `Did you mean "${guess}"?` : `There are ${BUILT_IN.blocked.map((one) => `"${one}"`).join(', ')}.`,
    });
  });
  return faults;
}

/** What is wrong only because of another file. */
export function checkTogether(parsed: readonly ParsedPolicy[]): void {
  const seen = new Map<string, string>();
  for (const { file, policy } of parsed) {
    for (const name of Object.keys(policy.secrets ?? {})) {
      const other = seen.get(name);
      // Which of two places a secret may go to is nothing to guess.
      if (other !== undefined) {
        const fault = { line: 1, column: 1, message: `There is a secret ${quoted(name)} in ${other} already.` };
        throw policyFileError(file, { ...fault, hint: 'Give it another name.' });
      }
      seen.set(name, file);
    }
  }
}
