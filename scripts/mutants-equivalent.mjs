/** Checks whose absence nobody could see: `{ file, change, why }`. One that is seen after all, or is gone, fails the run. */
export const EQUIVALENT = [
  {
    file: 'src/runtime/govern/knowing-driver.ts',
    change: "event.type === 'window' && event.change === 'closed' without event.type === 'window'",
    why: 'only windows close: no other event has that change',
  },
];
