import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './support/seat-room.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let demo: number;
beforeAll(async () => {
  work = await WorkRoom.open();
  demo = await work.launch('gtk4-demo', '--run=dropdown');
});
afterAll(() => work?.close());

/** What stands in the drop-downs and their lists, by the app's own word. */
const minutes = async (): Promise<string[]> =>
  (await work.textsOf(demo)).map(({ text }) => text).filter((text) => /minutes?$/.test(text));

test('the button of a GTK 4 drop-down is the one that was seen, after its list was open', async () => {
  // The window shows before its drop-downs have their text.
  const [, combo, button] = await until('the drop-down', async () =>
    /(e\d+) combobox: "1 minute"\s+(e\d+) togglebutton "1 minute"/.exec((await work.do('ui_snapshot')).text),
  );
  const same = await work.do('ui_set_value', { target: combo, value: '1 minute' });
  expect(same.text).toMatch(/read back the same/);
  const refused = work.do('ui_set_value', { target: combo, value: 'never' });
  await expect(refused).rejects.toThrow(/has no option "never"/);
  expect(await minutes()).not.toContain('5 minutes');
  await work.act('ui_click', { target: button });
  expect(await minutes()).toContain('5 minutes');
});
