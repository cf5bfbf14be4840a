import { expect, it } from 'vitest';
import { callerText } from './step-text.js';

it.each([
  [{ surface: 'mcp', session: 's7' }, 'mcp s7'],
  [{ surface: 'cli', session: 'cli' }, 'cli'],
  [{ surface: 'replay', session: 'replay:5f3a' }, 'replay:5f3a'],
  [{ surface: 'cli', session: 'client' }, 'cli client'],
  [{ surface: 'library' }, 'library'],
])('%o is %s', (caller, text) => {
  expect(callerText(caller)).toBe(text);
});
