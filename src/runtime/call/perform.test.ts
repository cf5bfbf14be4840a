import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { officeSpec } from '../../../tests/scenes/office.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from './perform.js';
import { READ_TRAITS } from '../request/tool-traits.js';
import { defineTool, type Tool } from './tool.js';
import { UNLISTED } from '../../../tests/scenes/calls.js';

const count = defineTool({
  name: 'ui_count',
  class: 'read',
  description: 'How many windows.',
  ...UNLISTED,
  traits: { ...READ_TRAITS, place: 'any-window' },
  timeoutMs: 5_000,
  input: z.object({ add: z.int().default(0) }),
  run: async ({ reader }, { add }) => ({ windows: (await reader.windows()).windows.length + add, secret: 'inner' }),
  text: ({ windows }) => `${windows} windows`,
  json: ({ windows }) => ({ windows }),
});
const never = defineTool({
  name: 'ui_never',
  class: 'read',
  description: 'Never ends.',
  ...UNLISTED,
  traits: { ...READ_TRAITS, place: 'any-window' },
  timeoutMs: 5_000,
  input: z.object({}),
  run: () => new Promise<object>(() => undefined),
  text: () => '',
});
const TOOLS: Tool[] = [count, never];

let desktop: Desktop;
beforeEach(() => {
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fakeDesktop(officeSpec()).driver });
});
afterEach(() => desktop.close());

async function refusal(call: Parameters<typeof perform>[2]): Promise<DesktopError> {
  const error: unknown = await perform(desktop, TOOLS, call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw new Error('it was accepted');
}

describe('the doorway', () => {
  it('answers with text and versioned JSON', async () => {
    const { json, text } = await perform(desktop, TOOLS, { tool: 'ui_count', args: { add: '2' }, caller: 'me' });
    expect(json).toEqual({ schema: 1, windows: 5 });
    expect(text).toBe('5 windows');
  });

  it('refuses a tool that is not there, with the likely one', async () => {
    const error = await refusal({ tool: 'ui_cuont', caller: 'me' });
    expect(error).toMatchObject({ code: 'bad_arguments', hint: 'Did you mean ui_count?' });
    expect((await refusal({ tool: 'x'.repeat(9_999), caller: 'me' })).message.length).toBeLessThan(100);
  });

  it('checks the arguments before anything else', async () => {
    expect(await refusal({ tool: 'ui_count', args: { ad: 1 }, caller: 'me' })).toMatchObject({ code: 'bad_arguments' });
  });

  it('ends what does not end', async () => {
    expect(await refusal({ tool: 'ui_never', caller: 'me', timeoutMs: 10 })).toMatchObject({ code: 'timeout' });
    const stop = new AbortController();
    const call = refusal({ tool: 'ui_never', caller: 'me', signal: stop.signal });
    stop.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
  });
});
