import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { reaches, type Reach } from './reaches.js';

/** Ways around the doorway that a developer in a hurry might take. */
const PLANTED = {
  'src/tools/planted.ts': `
    import type { Desktop } from '../runtime/index.js';
    import { Actor } from '../runtime/act/actor.js';
    import { attemptUntilDone } from '../runtime/act/run-action.js';
    export const direct = (desktop: Desktop) => desktop.driver.act!('e1', { do: 'press' } as never, {} as never);
    export const renamed = ({ driver: innocent }: Desktop) => innocent['changeWindow'];
    export const taken = ({ driver: { input } }: Desktop) => input?.click({ x: 1, y: 1 }, {} as never);
    export const computed = (desktop: Desktop, name: 'act' | 'focused') => desktop.driver[name];
    export const resumed = ({ driver }: Desktop) => driver.resume!('act-1', 'proceed', {} as never);
    export const copied = (desktop: Desktop) => desktop.driver.clipboard?.write('x', {} as never);
    export const started = ({ launch }: Desktop) => launch?.('xterm', []);
    export const made = (...all: ConstructorParameters<typeof Actor>) => new Actor(...all);
    export const passed = [attemptUntilDone];
  `,
  'src/host/planted.ts': `
    import type { Desktop } from '../runtime/index.js';
    import { innocent } from './innocent.js';
    export const looked = (desktop: Desktop) => [desktop.driver.name, innocent.act, innocent.input, innocent.launch];
  `,
  'src/host/innocent.ts': `export const innocent = { act: 1, input: 2, launch: 3 };`,
};

const INPUT = ['click', 'drag', 'move', 'press', 'type', 'wheel'].map((name) => `InputDevice.${name}`);
const ARBITRATED = INPUT.map((name) => name.replace('InputDevice', 'ArbitratedInput'));
const DRIVER = ['act', 'changeWindow', 'clipboard', 'input'].map((name) => `Driver.${name}`);

/** Who may, and why it is no way around `perform`. */
const ALLOWED: readonly { file: string; why: string; what: readonly string[] }[] = [
  {
    file: 'src/runtime/call/perform.ts',
    why: 'the doorway',
    what: ['runAction'],
  },
  {
    file: 'src/runtime/act/run-action.ts',
    why: 'called by the doorway alone, when the call has its turn in the action queue',
    what: ['attemptUntilDone'],
  },
  {
    file: 'src/runtime/act/attempt.ts',
    why: 'one attempt of an act; it acts only after the intent is on the disk',
    what: ['new Actor'],
  },
  {
    file: 'src/runtime/act/actor.ts',
    why: 'the actor itself',
    what: ['Clipboard.write', 'CallView.launch', ...DRIVER, ...ARBITRATED, 'new ArbitratedInput'],
  },
  {
    file: 'src/runtime/visibility/call-view.ts',
    why: 'passes on how to start programs, for the actor',
    what: ['CallView.launch', 'Desktop.launch'],
  },
  {
    file: 'src/runtime/user/arbitrated-input.ts',
    why: 'input that gives way to the user, made by the actor alone',
    what: [...INPUT],
  },
  {
    file: 'src/runtime/user/input-arbiter.ts',
    why: 'reads where the pointer is',
    what: ['Driver.input'],
  },
  {
    file: 'src/runtime/user/checked-act.ts',
    why: 'continues an act that waits at a checkpoint, after its check; only the actor and its input begin acts',
    what: ['Driver.resume'],
  },
  {
    file: 'src/runtime/desktop/desktop.ts',
    why: 'holds the function that starts programs, for the actor',
    what: ['Desktop.launch'],
  },
  {
    file: 'src/runtime/user/emergency-stop.ts',
    why: 'releases all keys and buttons at a stop',
    what: ['Driver.input'],
  },
  {
    file: 'src/runtime/visibility/driver-decorators.ts',
    why: 'a driver around the driver: it redacts secrets and forwards acts only for its own caller',
    what: ['Clipboard.write', ...DRIVER, 'Driver.resume'],
  },
  {
    file: 'src/compose.ts',
    why: 'gives the seat to the desktop that it makes',
    what: ['PrivateDesktop.launch'],
  },
  {
    file: 'src/host/requests/apps.ts',
    why: 'a start by a program of the user, under the same rules and with the same record: governedStart',
    what: ['PrivateDesktop.launch'],
  },
  {
    file: 'src/host/requests/tool-calls.ts',
    why: 'a start by the user, under the same rules and with the same record: governedStart',
    what: ['PrivateDesktop.launch'],
  },
];

let found: Reach[];
beforeAll(() => {
  found = reaches(PLANTED);
}, 120_000);

const isPlanted = ({ file }: Reach): boolean => file in PLANTED;

describe('perform is the only way to what changes a desktop', () => {
  it('no other module reaches it', () => {
    const strangers = found.filter((reach) => !isPlanted(reach)).filter((reach) => !isAllowed(reach));
    expect(strangers).toEqual([]);
  });

  it.each(ALLOWED.filter(({ file }) => existsSync(new URL(`../../${file}`, import.meta.url))))(
    '$file may for a reason that still is one: $why',
    ({ file, what }) => {
      const reached = found.filter((reach) => reach.file === file).map((reach) => reach.what);
      expect(reached.sort()).toEqual([...what].sort());
    },
  );

  it('a way around is found, whatever it is called, and what only sounds alike is not', () => {
    const planted = found.filter(isPlanted).map(({ file, what }) => `${file} ${what}`);
    const ways = [
      ...DRIVER,
      'Driver.resume',
      'InputDevice.click',
      'Clipboard.write',
      'Desktop.launch',
      'new Actor',
      'attemptUntilDone',
    ];
    expect(planted).toEqual(ways.map((what) => `src/tools/planted.ts ${what}`).sort());
  });

  function isAllowed({ file, what }: Reach): boolean {
    return ALLOWED.some((one) => one.file === file && one.what.includes(what));
  }
});
