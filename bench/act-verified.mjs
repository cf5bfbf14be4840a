// A click and a value, found, done and proved: ours and cua-driver's on the same element of the same window.
import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, openDesktop, perform, TOOLS } from './house.mjs';
import { startCua } from './act-cua.mjs';
import { startDiaryApp } from './diary-app.mjs';
import { inTurns } from './turns.mjs';

/** What each toolkit calls the same things on the bus; a toggle where GTK 4 offers no action on a check box. */
const TOOLKITS = {
  gtk3: { click: ['check box', 'Wrap', 'checkbox:Wrap'], text: 'text', number: 'slider' },
  qt: { click: ['check box', 'Wrap', 'checkbox:Wrap'], text: 'text', number: 'slider' },
  gtk4: { click: ['button', 'Bold', 'Bold'], text: 'text box', number: 'slider' },
};
/** So that neither program meets what the other one left running. */
const REST_MS = 150;

export async function verifiedRows(seatOptions, cuaInstall, rounds) {
  const opened = await openDesktop({ kind: 'virtual', ...seatOptions });
  const { desktop, seat } = opened;
  const cua = cuaInstall.folder ? await startCua(cuaInstall, seat.env) : undefined;
  const rows = [];
  try {
    for (const [toolkit, roles] of Object.entries(TOOLKITS)) {
      const app = await startDiaryApp(`act-${toolkit}.py`, seat.env);
      try {
        rows.push(...(await ofToolkit({ toolkit, roles, app, desktop, cua, rounds })));
      } finally {
        app.end();
        await gone(desktop, app.pid);
      }
    }
  } finally {
    cua?.end();
    await opened.close();
  }
  return rows;
}

async function ofToolkit({ toolkit, roles, app, desktop, cua, rounds }) {
  const ours = (tool, args) => perform(desktop, TOOLS, { tool, args, caller: 'bench' });
  await ours('ui_wait', { until: 'textbox:Name' });
  const window = await windowOf(cua, app.pid);
  const [role, label, selector] = roles.click;
  const kinds = {
    click: {
      ours: () => ours('ui_click', { target: selector }),
      theirs: { role, label },
      fits: () => (line) => line.toggled === label,
    },
    'set_value, a text': {
      ours: (value) => ours('ui_set_value', { target: 'textbox:Name', value }),
      theirs: { role: roles.text, label: 'Name' },
      value: (round, who) => `${who} ${round}`,
      fits: (value) => (line) => line.text === 'Name' && line.value === value,
    },
    'set_value, a number': {
      ours: (value) => ours('ui_set_value', { target: 'slider:Volume', value: Number(value) }),
      theirs: { role: roles.number, label: 'Volume' },
      value: (round, who) => String(10 + 2 * round + (who === 'ours' ? 0 : 1)),
      fits: (value) => (line) => line.value === 'Volume' && line.is === Number(value),
    },
  };
  const rows = [];
  for (const [what, kind] of Object.entries(kinds)) {
    const saw = { ours: 0, cua: 0 };
    let from = 0;
    const side = (who, act) => ({
      before: async () => {
        await pause(REST_MS);
        from = app.diary.length;
      },
      act: (round) => act(round, kind.value?.(round, who)),
      arrived: (round) => app.arrived(from, kind.fits(kind.value?.(round, who))),
    });
    const sides = {
      ours: side('ours', async (round, value) => {
        const { json } = await kind.ours(value);
        if (round > 0 && json.changed === 'yes') saw.ours++;
      }),
      ...(cua && {
        cua: side('cua', async (round, value) => {
          const answer = await cua.ask({ do: 'act', pid: app.pid, window, ...kind.theirs, ...(value && { value }) });
          if (round > 0 && answer.saw) saw.cua++;
          return answer.ms;
        }),
      }),
    };
    rows.push({ toolkit, what, ...(await inTurns(rounds, sides)), saw });
  }
  return rows;
}

async function windowOf(cua, pid) {
  if (!cua) return undefined;
  const { window } = await cua.ask({ do: 'window', pid });
  if (window === undefined) throw new Error('cua-driver does not see the window');
  return window;
}

/** The next app's window has the same title. */
async function gone(desktop, pid) {
  const deadline = Deadline.in(20_000);
  while ((await desktop.listWindows(deadline)).windows.some((window) => window.pid === pid)) await pause(50);
}
