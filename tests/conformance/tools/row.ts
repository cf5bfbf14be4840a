import { expect } from 'vitest';
import { Deadline } from '../../../src/shared/index.js';
import { unlessHurried, type CaseOn } from '../case.js';
import type { DiaryLine } from '../fixture-app.js';
import type { Answer, ToolStage } from './tool-stage.js';

type Args = Record<string, unknown>;
export type ToolCase = CaseOn<ToolStage>;

/** One call of one tool, and all that the app wrote down because of it. */
export interface Row {
  name: string;
  tool: string;
  /** Asked for when everything is arranged. */
  args: Args | ((stage: ToolStage) => Promise<Args>);
  /** All of it and nothing else, in any order; what grew letter by letter counts once, as it was in the end. */
  diary: DiaryLine[] | ((stage: ToolStage) => DiaryLine[]);
  /** What the answer says, in part: `status`, `method`, `readBack`; `code` and `delivered` of a refusal. */
  answer?: Record<string, unknown>;
  /** What a model reads. */
  text?: RegExp;
  /** Done before, and not counted. */
  first?: (stage: ToolStage) => Promise<void>;
  /** Another window has the keys before and after, and the pointer stays where it is. */
  aside?: boolean;
  /** Keys may reach a combo box before its list has opened: it goes through the options between, and ends at the last. */
  passes?: boolean;
  /** More to be said of it. */
  then?: (stage: ToolStage, answer: Answer) => Promise<void>;
  disturbs?: boolean;
  safety?: boolean;
}

const DIARY_MS = 10_000;

export function caseOf(row: Row): ToolCase {
  return {
    name: row.name,
    ...(row.disturbs && { disturbs: true }),
    ...(row.safety && { safety: true }),
    async run(stage) {
      await stage.fresh();
      await row.first?.(stage);
      if (row.aside) await stage.focusElsewhere();
      await stage.turnPage();
      const attention = row.aside ? await stage.attention() : undefined;
      const args = typeof row.args === 'function' ? await row.args(stage) : row.args;
      const answer = await stage.call(row.tool, { ...patience(row), ...args });
      if (row.answer) expect(shape(answer), answer.text).toMatchObject(row.answer);
      if (row.text) expect(answer.text).toMatch(row.text);
      await expectDiary(stage, typeof row.diary === 'function' ? row.diary(stage) : row.diary, row.passes);
      if (row.aside) expect(await stage.attention()).toBe(attention);
      await row.then?.(stage, answer);
      const refused = answer.code !== undefined && answer.delivered === 'no';
      if (refused && !row.first && !row.then && !row.disturbs && (await stage.diary()).length === 0)
        stage.leaveUntouched();
    },
  };
}

/** The busiest machine gets its time; what changes nothing, or cannot be, is not waited for. */
function patience({ tool, answer }: Row): Args {
  if (tool === 'ui_batch') return {};
  const refused = answer?.code !== undefined;
  return { timeoutMs: refused ? 800 : 15_000, settleMs: refused || answer?.status === undefined ? 200 : 5_000 };
}

function shape({ code, delivered, json }: Answer): Record<string, unknown> {
  return code === undefined ? json : { ...json, code, delivered };
}

/** Waits until it is there, and then for nothing more of the same. */
export async function expectDiary(stage: ToolStage, expected: DiaryLine[], passes = false): Promise<void> {
  const end = Deadline.in(unlessHurried(DIARY_MS));
  const wanted = expected.map(printed).sort();
  for (;;) {
    const lines = tidy(await stage.diary(), expected, passes);
    const strange = lines.filter((line) => isElsewhere(line, expected));
    // npm test never repeats a case that fails with these words.
    if (strange.length > 0) throw new Error(`wrong element: ${strange.map(printed).join(', ')}`);
    const written = lines.map(printed).sort();
    if (end.over || written.length >= wanted.length) return expect(written).toEqual(wanted);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** What an element did because of an act, in the words of act_scene.py, and its name. */
const elementOf = ({ clicked, toggled, text, dropped }: DiaryLine): unknown => clicked ?? toggled ?? text ?? dropped;

/** About an element that no expected line names. */
function isElsewhere(line: DiaryLine, expected: DiaryLine[]): boolean {
  const element = elementOf(line);
  return element !== undefined && !expected.some((one) => elementOf(one) === element);
}

const printed = (line: DiaryLine): string => JSON.stringify(Object.entries(line).sort());

/** Without what was scrolled, unless that is the point, and each text and number as it was in the end. */
function tidy(lines: DiaryLine[], expected: DiaryLine[], passes: boolean): DiaryLine[] {
  const scrolls = expected.some((line) => 'scrolled' in line);
  const kept = lines.filter((line) => scrolls || !('scrolled' in line));
  const grows = (line: DiaryLine): unknown =>
    line.text ?? ('is' in line ? line.value : passes && 'selected' in line ? 'selected' : undefined);
  return kept.filter((line, at) => grows(line) === undefined || grows(kept[at + 1] ?? {}) !== grows(line));
}
