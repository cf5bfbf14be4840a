import type { CallNote, Ending, Intent, TargetWords } from './ledger.js';
import type { Content, Draft } from './record.js';

/** From the words of those who act to the form of the log. */
export function intentDraft(intent: Intent): Draft {
  return { kind: 'intent', ...deed(intent) };
}

export function callDraft({ status, error, ...intent }: CallNote): Draft & { kind: 'call' } {
  return { kind: 'call', ...deed(intent), status, ...(error && { error }) };
}

export function outcomeDraft(of: number, ending: Ending): Draft {
  const { durationMs, driverCalls, tokens, ...rest } = ending;
  const cost = { ms: Math.max(0, Math.round(durationMs)), driverCalls, tokens };
  return { kind: 'outcome', of, ...rest, cost };
}

function deed({ caller, rule, decision, target, process, confidence, ...rest }: Intent): Content<'intent'> {
  const sure = confidence ?? target?.confidence;
  const words = target && wordsOf(target);
  const app = { ...appOf(target), ...process };
  return {
    ...rest,
    caller: typeof caller === 'string' ? { surface: caller } : caller,
    decision: decision ?? { answer: 'allow', rule },
    ...(words && { target: words }),
    ...(Object.keys(app).length > 0 && { app }),
    ...(sure !== undefined && { confidence: sure }),
  };
}

function wordsOf({ id, role, name, window }: TargetWords): Content<'intent'>['target'] {
  return { id, role, name, window };
}

function appOf(target: TargetWords | undefined): NonNullable<Content<'intent'>['app']> {
  return {
    ...(target?.app !== undefined && { program: target.app }),
    ...(target?.appName !== undefined && { name: target.appName }),
  };
}
