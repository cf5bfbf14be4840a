import { format, resolveConfig } from 'prettier';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/index.js';
import { configPage, toolsPage } from './derived-pages.js';

const place = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

it.each([
  ['tools.md', toolsPage],
  ['config.md', configPage],
])(
  'docs/%s matches the program; npx vitest run tests/house/derived-pages.test.ts -u updates it',
  async (name, page) => {
    const file = place(name);
    const text = await format(page(), { ...(await resolveConfig(file)), parser: 'markdown' });
    await expect(text).toMatchFileSnapshot(file);
  },
);

it('every tool and every argument has its line', () => {
  const page = toolsPage();
  for (const { name } of TOOLS) expect(page).toContain(`## ${name}\n`);
  expect(page).toMatch(/^\| `settleMs` +\| `--settle-ms` \| whole number, 0 to /m);
});
