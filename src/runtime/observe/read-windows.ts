import { requireCapability, type ReadAnswer } from '../../drivers/contract/index.js';
import {
  cellsIn,
  readNeeds,
  ElementIndex,
  type CellRequest,
  type Chain,
  type SceneWindow,
} from '../../selector/index.js';
import { DesktopError, hasTrait } from '../../shared/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { withWindowContext, isTruncated, type SnapshotCall } from './snapshot.js';

export interface WindowTrees {
  scene: ElementIndex;
  /** Windows that did not answer, with the error. */
  silent: { window: WindowInfo; error: DesktopError }[];
  /** Windows that were read incompletely. */
  degraded: string[];
  /** Some window has more elements than were read, so a missing element may exist. */
  partial: boolean;
  /** Both combined: the windows that may have more elements than were read, and why. */
  doubts: { window: string; reason: string }[];
}

/** At most this many tables are searched for a cell. */
const MOST_TABLES = 20;

/** No single window may use up the time that is needed to compose the answer. */
const SHARE = 0.9;

/** Reads only the windows in which the chain can match. `full`: also invisible elements. */
export async function readWindowTrees(
  desktop: CallView,
  chain: Chain,
  windows: readonly WindowInfo[],
  call: SnapshotCall,
  full = false,
): Promise<WindowTrees> {
  const needs = readNeeds(chain);
  const deadline = windows.length > 1 ? call.deadline.atMost(call.deadline.remaining() * SHARE) : call.deadline;
  const options = { deadline, full: full || needs.full, ...(needs.detail && { detail: true }) };
  const silent: WindowTrees['silent'] = [];
  const doubts: WindowTrees['doubts'] = [];
  let partial = false;
  const reads = windows.map(async (window): Promise<SceneWindow | undefined> => {
    try {
      const answer = await requireCapability(desktop.driver, 'read')({ window: window.id }, options);
      if (answer.degraded) doubts.push({ window: window.ref, reason: `${window.ref}: ${answer.degraded.reason}` });
      // For an app without a tree nothing is missing: it has only its window.
      if (answer.degraded && answer.count > 1) partial = true;
      return { window, root: adopt(desktop, window, answer, options.full) };
    } catch (error) {
      const reported = withWindowContext(error, window);
      if (!(reported instanceof DesktopError)) throw error;
      if (hasTrait(reported, 'appSilent')) silent.push({ window, error: reported });
      else if (!hasTrait(reported, 'gone')) throw reported;
      return undefined;
    }
  });
  const read = (await Promise.all(reads)).filter((one) => one !== undefined);
  for (const cell of cellsIn(chain)) await addCell(desktop, read, cell, call);
  const unheard = silent.map(({ window: { ref } }) => ({ window: ref, reason: `${ref} does not answer` }));
  return {
    scene: new ElementIndex(read),
    silent,
    degraded: doubts.map(({ reason }) => reason),
    partial,
    doubts: [...doubts, ...unheard],
  };
}

/** No caller receives this snapshot, so it gets no number. It still refreshes the refs. */
function adopt(desktop: CallView, window: WindowInfo, answer: ReadAnswer, full: boolean): Element {
  const whole = !answer.degraded && !full && !isTruncated(answer.root);
  const read = { snapshot: desktop.snapshots.lastId, root: 'window', shown: false, whole } as const;
  const root = desktop.refs.adopt(answer.root, window.id, read);
  desktop.snapshots.keepInternal(window.id, root);
  return root;
}

/** A cell with an address is requested by that address: a sheet has a billion cells. */
async function addCell(
  desktop: CallView,
  windows: readonly SceneWindow[],
  request: CellRequest,
  { deadline }: SnapshotCall,
): Promise<void> {
  const { driver, refs, snapshots } = desktop;
  const { row, column, sheet } = request;
  if (!driver.range) return;
  const tables = windows.flatMap(({ window, root }) => tablesIn(root).map((table) => ({ window, table })));
  const wanted = tables.filter(({ table }) => mayHave(table, request)).slice(0, MOST_TABLES);
  await Promise.all(
    wanted.map(async ({ window, table }) => {
      const cells = { rows: [row, row] as [number, number], columns: [column, column] as [number, number] };
      try {
        const request = { cells: { ...cells, empty: true, formulas: true, ...(sheet !== undefined && { sheet }) } };
        const { rows } = await driver.range!(table.id, request, { deadline });
        const seen = { snapshot: snapshots.lastId, root: 'element', shown: false } as const;
        for (const one of rows) table.children.push(refs.adopt(one, window.id, seen));
      } catch (error) {
        // A table without that row, column or sheet does not contain the cell: that is an answer, not a failure.
        if (!(error instanceof DesktopError) || hasTrait(error, 'appSilent')) throw withWindowContext(error, window);
      }
    }),
  );
}

function mayHave({ table, children }: Element, { address, row, column }: CellRequest): boolean {
  if (!table || (address !== undefined && !table.sheet)) return false;
  if (row > table.rows || column > table.columns) return false;
  return !children.some((child) =>
    [child, ...child.children].some(({ cell }) => cell?.row === row && cell.column === column),
  );
}

function tablesIn(element: Element): Element[] {
  return [...(element.table ? [element] : []), ...element.children.flatMap(tablesIn)];
}
