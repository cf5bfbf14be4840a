import {
  allOf,
  type Answer,
  anyOf,
  type ParsedCondition,
  type Condition,
  type ConditionResult,
  type Kind,
  opposite,
  type Seen,
  readList,
} from './condition.js';
import { evaluate, type PollContext } from './evaluate.js';

const MOST = 32;

export const all: Kind = listKind('all', '{"all": ["button:OK", {"gone": "dialog:Saving"}]}', allOf);
export const any: Kind = listKind('any', '{"any": ["button:OK", {"window": "Error"}]}', anyOf);

export const not: Kind = {
  form: '{"not": {"window": "Error"}}',
  read(given, inner) {
    const condition = inner(given);
    return {
      ...about([condition]),
      async evaluate(moment) {
        const part = await evaluate(condition, moment);
        const { answer, againInMs, reason, candidates } = part;
        return {
          answer: opposite(answer),
          seen: { condition: 'not', parts: [partOf(part)] },
          ...(reason !== undefined && answer === 'unknown' && { reason }),
          ...(candidates && { candidates }),
          ...(againInMs !== undefined && { againInMs }),
        };
      },
    };
  },
};

function listKind(key: string, form: string, together: (answers: readonly Answer[]) => Answer): Kind {
  return {
    form,
    read(given, inner) {
      const conditions = readList(given, key, form, 1, MOST).map(inner);
      return {
        ...about(conditions),
        evaluate: async (moment) => combined(key, await evaluateAll(conditions, moment), together),
      };
    },
  };
}

/** In parallel, so that all are evaluated at the same moment. */
function evaluateAll(conditions: readonly Condition[], moment: PollContext): Promise<ConditionResult[]> {
  return Promise.all(conditions.map((condition) => evaluate(condition, moment)));
}

function combined(
  key: string,
  parts: readonly ConditionResult[],
  together: (answers: readonly Answer[]) => Answer,
): ConditionResult {
  const answer = together(parts.map((part) => part.answer));
  const seen: Seen = { condition: key, parts: parts.map(partOf) };
  if (answer === 'satisfied') return { answer, seen };
  const decisive = parts.filter((part) => part.answer === answer);
  const { reason } = decisive.find((part) => part.reason !== undefined) ?? {};
  const candidates = decisive.flatMap((part) => part.candidates ?? []);
  const nearest = decisive.flatMap((part) => part.nearest ?? []);
  const again = parts.flatMap((part) => part.againInMs ?? []);
  return {
    answer,
    seen,
    ...(reason !== undefined && { reason }),
    ...(candidates.length > 0 && { candidates }),
    ...(again.length > 0 && { againInMs: Math.min(...again) }),
    ...(nearest.length > 0 && {
      nearest: async (call) => (await Promise.all(nearest.map((ask) => ask(call)))).flat(),
    }),
  };
}

function partOf({ answer, reason, seen }: ConditionResult): NonNullable<Seen['parts']>[number] {
  return { answer, ...(reason !== undefined && { reason }), seen };
}

function about(conditions: readonly Condition[]): Omit<ParsedCondition, 'evaluate'> {
  return {
    selectors: conditions.flatMap(({ selectors = [] }) => selectors),
    windows: conditions.flatMap(({ windows = [] }) => windows),
    overTime: conditions.flatMap(({ overTime = [] }) => overTime),
    ofWindows: conditions.every(({ ofWindows }) => ofWindows === true),
  };
}
