// The other side of act-cua.mjs: node act-cua-side.mjs ENTRY; requests and answers are one JSON object a line.
// A verified act as its own documents describe it: a fresh look, the act by the element's token, a look at the effect.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const SESSION = 'bench';
const { CuaDriver } = await import(pathToFileURL(process.argv[2]).href);
const driver = CuaDriver.create(undefined);

async function tool(name, args) {
  const { structuredJson } = await driver.callTool(name, JSON.stringify(args));
  return structuredJson ? JSON.parse(structuredJson) : {};
}

/** What it can leave out it leaves out: no screenshot, and nothing that draws an agent's mouse. */
const work = {
  async open() {
    await tool('start_session', { session: SESSION });
    await tool('set_agent_cursor_enabled', { session: SESSION, enabled: false });
    return {};
  },
  async window({ pid }) {
    const { windows } = await tool('list_windows', { pid });
    return { window: windows.find((one) => one.pid === pid && one.is_on_screen)?.window_id };
  },
  /** What a model reads of a window. */
  async look({ pid }) {
    const { windows } = await tool('list_windows', { pid });
    const { window_id } = windows.find((one) => one.pid === pid && one.is_on_screen);
    const look = { pid, window_id, session: SESSION, include_screenshot: false };
    return { text: (await driver.callTool('get_window_state', JSON.stringify(look))).text };
  },
  async act({ pid, window, role, label, value }) {
    const began = performance.now();
    const look = { pid, window_id: window, session: SESSION, include_screenshot: false };
    const find = async () => {
      const { elements } = await tool('get_window_state', look);
      return elements.find((one) => one.label === label && one.role === role);
    };
    const before = await find();
    if (!before) throw new Error(`there is no ${role} ${label}`);
    const target = { pid, session: SESSION, element_token: before.element_token };
    const { effect } =
      value === undefined ? await tool('click', target) : await tool('set_value', { ...target, value });
    const after = await find();
    const ms = performance.now() - began;
    return { ms, effect, saw: before.selected !== after?.selected || before.value !== after?.value };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...rest } = JSON.parse(line);
  let answer;
  try {
    answer = await work[what](rest);
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
