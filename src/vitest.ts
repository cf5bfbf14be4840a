import { expect as vitestExpect, test as vitestTest, type ExpectStatic, type TestAPI } from 'vitest';
import {
  expect as desktopExpect,
  isExpected,
  openDesktop,
  type Desktop,
  type OpenOptions,
} from './surfaces/library/index.js';

/** What the tests of `desktopTest` have. */
export interface DesktopFixture {
  /** A private desktop: one for each worker of vitest, opened when the first test wants it. */
  desktop: Desktop;
}

/** `test` with a desktop that is opened with these options. */
export function desktopTest(options: OpenOptions = {}): TestAPI<DesktopFixture> {
  return vitestTest.extend<{ $worker: DesktopFixture }>({
    desktop: [
      // vitest reads which fixtures a fixture needs from its first argument, which must be a pattern.
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

/** vitest's `test`, with a private desktop: `test('…', async ({ desktop }) => { … })`. */
export const test: TestAPI<DesktopFixture> = desktopTest();
export { test as it };

/** vitest's `expect`, which for locators and windows is the one of this library: it waits. */
export const expect: typeof desktopExpect & ExpectStatic = new Proxy(vitestExpect, {
  apply: (target, self, args: Parameters<ExpectStatic>) =>
    isExpected(args[0]) ? desktopExpect(args[0]) : (Reflect.apply(target, self, args) as unknown),
}) as typeof desktopExpect & ExpectStatic;

export { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
