// @module-tag safety
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../audit/index.js';
import { fakeDesktop, type FakeDesktop } from '../drivers/fake/index.js';
import { compilePolicy } from '../policy/index.js';
import { Desktop, perform, type Tool } from '../runtime/index.js';
import { Deadline, DesktopError } from '../shared/index.js';
import { keptSnapshot, TOOLS } from './index.js';

/** Beyond the cut, so that it is only in `fullTitle`. */
const TAIL = 'Tail of the title';
const TITLE = `${'Letter '.repeat(40)}${TAIL}`;
const ENABLED = { user: { version: 1, defaults: { act: 'allow', raw: 'allow', read: 'allow', capture: 'allow' } } };

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
beforeEach(() => {
  fake = fakeDesktop({
    hungAfterMs: 20,
    windows: [
      {
        ...{ key: 'letter', title: TITLE, app: 'writer', bounds: { x: 0, y: 0, width: 200, height: 200 } },
        children: [
          { role: 'button', name: 'Save', key: 'save' },
          { role: 'button', name: 'Send', key: 'send', states: { enabled: false } },
        ],
      },
      { key: 'slow', title: 'Slow', app: 'slow', bounds: { x: 300, y: 0, width: 200, height: 200 } },
    ],
  });
  ledger = new MemoryLedger();
  const policy = compilePolicy(ENABLED as never, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger });
});
afterEach(() => desktop.close());

async function answerOf(tool: string, args: object, tools: readonly Tool[] = TOOLS): Promise<string> {
  return perform(desktop, tools, { tool, args, caller: 'mcp:a' }).then(
    ({ json, text }) => JSON.stringify(json) + text,
    (error: unknown) => {
      if (error instanceof DesktopError) return JSON.stringify(error.toJSON());
      throw error;
    },
  );
}

describe('fields that only rules need', () => {
  it('are what the driver reports', async () => {
    expect(JSON.stringify(await desktop.driver.windows({ deadline: soon() }))).toContain(TAIL);
    fake.controls.hang('slow');
    expect(JSON.stringify(await desktop.driver.doctor({ deadline: soon() }))).toContain('"program":"/usr/bin/slow"');
  });

  it.each([
    ['ui_list_windows', {}],
    ['ui_list_windows', { hidden: true }],
    ['ui_snapshot', {}],
    ['ui_snapshot', { window: '*' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_describe', { target: 'button:Save' }],
    ['ui_events', {}],
    ['ui_capture', {}],
    ['ui_click', { target: 'button:Save' }],
    ['ui_click', { target: 'button:Send', timeoutMs: 50 }],
    ['ui_window', { action: 'focus', window: 'Letter' }],
    ['ui_wait', { until: { window: 'Letter' }, timeoutMs: 50 }],
    ['ui_batch', { steps: [{ tool: 'ui_click', target: 'button:Save' }] }],
  ])('are in no answer of %s %j and in no record of it', async (tool, args) => {
    fake.controls.setTitle('letter', `${TITLE}.`);
    const answer = await answerOf(tool, args);
    expect(answer).not.toContain(TAIL);
    expect(answer).not.toContain('fullTitle');
    const records = JSON.stringify(ledger);
    expect(records).toContain('ui_');
    expect(records).not.toContain(TAIL);
    expect(records).not.toContain('fullTitle');
  });

  it('are not in a stored snapshot, which MCP resources show', async () => {
    const { json } = await perform(desktop, TOOLS, { tool: 'ui_snapshot', args: {}, caller: 'mcp:a' });
    const kept = await answerOf(keptSnapshot.name, { id: json.id }, [keptSnapshot]);
    expect(kept).toContain('Letter');
    expect(kept).not.toContain(TAIL);
  });

  it('are not in the findings of doctor', async () => {
    fake.controls.hang('slow');
    const answer = await answerOf('ui_capabilities', {});
    expect(answer).toContain('slow does not answer');
    expect(answer).not.toContain('/usr/bin/slow');
  });
});

const soon = () => Deadline.in(5_000);
