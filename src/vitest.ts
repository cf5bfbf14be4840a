import { expect as vitestExpect, test as vitestTest, type ExpectStatic, type TestAPI } from 'vitest';
import {
  expect as desktopExpect,
  isExpected,
  openDesktop,
  type Desktop,
  type OpenOptions,
} from './surfaces/library/index.js';

/** The fixtures of `desktopTest`. */
export interface DesktopFixture {
  /** A private desktop, one per vitest worker. It opens when the first test uses it. */
  desktop: Desktop;
}

/** Creates a `test` function whose desktop is opened with these options. */
export function desktopTest(options: OpenOptions = {}): TestAPI<DesktopFixture> {
  return vitestTest.extend<{ $worker: DesktopFixture }>({
    desktop: [
      // vitest reads the required fixtures from the first parameter, which must be a destructuring pattern.
      async ({}, use) => {
        const desktop = await openDesktop(options);
        try {
          await use(desktop);
        } finally {
          await desktop.close();
        }
      },
      { scope: 'worker' },
    ],
  });
}

/** vitest's `test` with a private desktop: `test('…', async ({ desktop }) => { … })`. */
export const test: TestAPI<DesktopFixture> = desktopTest();
export { test as it };

/** vitest's `expect`. For locators and windows it is this library's `expect`, which waits. */
export const expect: typeof desktopExpect & ExpectStatic = new Proxy(vitestExpect, {
  apply: (target, self, args: Parameters<ExpectStatic>) =>
    isExpected(args[0]) ? desktopExpect(args[0]) : (Reflect.apply(target, self, args) as unknown),
}) as typeof desktopExpect & ExpectStatic;

export { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
