import { DesktopError, didYouMean } from '../../shared/index.js';
import { listOf } from '../rules/conditions.js';
import { foldText } from '../rules/glob.js';
import { BUILT_IN } from './built-in.js';
import { faultsOf, type PolicyFault, quoted } from './faults.js';
import { FIELD_TIERS, type FileTier, PolicyFile } from './schema.js';
import { type PlacedData, readYaml } from './yaml.js';

interface PolicySource {
  tier: FileTier;
  /** File name for messages. */
  file: string;
  /** Valid values of `tool`; without the list, any name is accepted. */
  tools?: readonly string[];
}

/** A file that was parsed without errors. */
export interface ParsedPolicy {
  tier: FileTier;
  file: string;
  policy: PolicyFile;
  /** Line number of a rule, by its index. */
  lineOfRule: (index: number) => number;
}

/** A larger file was not written by hand. */
export const MAX_FILE_BYTES = 256 * 1024;

/** Returns the policy, or all errors in the file. */
export function readPolicy(text: string, source: PolicySource): ParsedPolicy | { faults: PolicyFault[] } {
  if (text.length > MAX_FILE_BYTES)
    return { faults: [{ line: 1, column: 1, message: 'The file is larger than 256 KB.' }] };
  const yaml = readYaml(text);
  if ('faults' in yaml) return yaml;
  if (typeof yaml.data !== 'object' || yaml.data === null || Array.isArray(yaml.data)) {
    return {
      faults: [{ line: 1, column: 1, message: 'The file contains no policy.', hint: 'Start it with version: 1.' }],
    };
  }
  const { version } = yaml.data as { version?: unknown };
  if (version !== undefined && version !== 1) {
    const hint = 'This version of Deskproof reads policy version 1.';
    return { faults: [{ ...yaml.placeOf(['version']), message: 'The policy is written for another version.', hint }] };
  }
  const parsed = PolicyFile.safeParse(yaml.data, { reportInput: false });
  const faults = [
    ...misplacedFields(yaml, source.tier),
    ...(parsed.error?.issues.flatMap((issue) => faultsOf(issue, PolicyFile, yaml)) ?? []),
    ...(parsed.data ? inconsistencies(parsed.data, yaml, source) : []),
  ];
  if (!parsed.data || faults.length > 0) {
    return { faults: faults.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const lineOfRule = (index: number): number => yaml.placeOf(['rules', index]).line;
  return { tier: source.tier, file: source.file, policy: parsed.data, lineOfRule };
}

/** A policy that was read before and stored; undefined if this version cannot read it. */
export function parsePolicyContent(content: unknown): PolicyFile | undefined {
  return PolicyFile.safeParse(content).data;
}

/** Throws on any error: a policy with a field that we do not understand is never used in part. */
export function parsePolicy(text: string, source: PolicySource): ParsedPolicy {
  const read = readPolicy(text, source);
  if (!('faults' in read)) return read;
  const [first, ...more] = read.faults;
  throw policyFileError(source.file, first!, more);
}

function policyFileError(file: string, fault: PolicyFault, more: readonly PolicyFault[] = []): DesktopError {
  const { line, column, message, hint } = fault;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new DesktopError('bad_arguments', `${file}, line ${line}: ${message}${others}`, {
    retry: 'no',
    hint: hint ?? 'Correct the file. Deskproof does not run with a policy that it cannot read.',
    details: { file, line, column, ...(more.length > 0 && { more }) },
  });
}

const FILE_OF_TIER: Readonly<Record<FileTier, string>> = {
  user: 'the user policy',
  project: 'a project policy',
  managed: 'the managed policy',
};

/** Valid fields that are not allowed in a file of this tier. */
function misplacedFields({ data, placeOfKey }: PlacedData, tier: FileTier): PolicyFault[] {
  return Object.entries(FIELD_TIERS).flatMap(([field, tiers]) => {
    const path = field.split('.');
    if (tiers.includes(tier) || !has(data, path)) return [];
    const may = Object.entries(FIELD_TIERS).filter(([name, who]) => who.includes(tier) && !name.includes('.'));
    return [
      {
        ...placeOfKey(path.slice(0, -1), path.at(-1)!),
        message: `${field} is not allowed in ${FILE_OF_TIER[tier]}.`,
        hint: `Allowed fields: ${may.map(([name]) => name).join(', ')}${tier === 'user' ? '' : '; windows without unblock'}.`,
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

/** Errors that a schema of single fields cannot detect. */
function inconsistencies(policy: PolicyFile, yaml: PlacedData, { tools }: PolicySource): PolicyFault[] {
  const faults: PolicyFault[] = [];
  const seen = new Set<string>();
  policy.rules?.forEach(({ name, when }, index) => {
    const path = ['rules', index];
    if (seen.has(name))
      faults.push({ ...yaml.placeOf([...path, 'name']), message: `Two rules have the name ${quoted(name)}.` });
    seen.add(name);
    for (const tool of listOf(when?.tool ?? [])) {
      if (!tools || tools.includes(tool)) continue;
      const guess = didYouMean(tool, tools);
      const hint = guess ? `Did you mean ${guess}?` : `Valid tools: ${tools.join(', ')}.`;
      faults.push({ ...yaml.placeOf([...path, 'when', 'tool']), message: `Unknown tool ${quoted(tool)}.`, hint });
    }
  });
  policy.windows?.unblock?.forEach((pattern, index) => {
    if (BUILT_IN.blocked.some((one) => foldText(one) === foldText(pattern))) return;
    const guess = didYouMean(pattern.replace(/\*/g, ''), BUILT_IN.blocked);
    faults.push({
      ...yaml.placeOf(['windows', 'unblock', index]),
      message: `${quoted(pattern)} is not a built-in pattern.`,
      hint: guess
        ? `Did you mean "${guess}"?`
        : `Built-in patterns: ${BUILT_IN.blocked.map((one) => `"${one}"`).join(', ')}.`,
    });
  });
  return faults;
}

/** Errors that only show when several files are combined. */
export function checkAcrossFiles(parsed: readonly ParsedPolicy[]): void {
  const seen = new Map<string, string>();
  for (const { file, policy } of parsed) {
    for (const name of Object.keys(policy.secrets ?? {})) {
      const other = seen.get(name);
      // Two definitions may allow different targets, so neither is preferred.
      if (other !== undefined) {
        const fault = { line: 1, column: 1, message: `The secret ${quoted(name)} is already defined in ${other}.` };
        throw policyFileError(file, { ...fault, hint: 'Give it another name.' });
      }
      seen.set(name, file);
    }
  }
}
