// What MCP clients are given before anything is done, and what Playwright's server says of a page.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ROOT } from '../scripts/run.mjs';

const PLAYWRIGHT = '@playwright/mcp@0.0.83';
const INSTALL_MS = 120_000;

export function ourListing() {
  return withServer([join(ROOT, 'dist/surfaces/cli/deskproof.js'), 'mcp'], listingOf);
}

/** Installed for this run alone, with the browser that is here; the page is looked at whole, as it does. */
export async function playwrightTokens(url, directory) {
  const folder = join(directory, 'playwright');
  const plain = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, PLAYWRIGHT, ...plain], { timeout: INSTALL_MS });
  } catch (error) {
    return { missing: String(error.stderr || error.message).split('\n')[0] };
  }
  const server = join(folder, 'node_modules/@playwright/mcp/cli.js');
  const browser = ['--headless', '--no-sandbox', '--isolated', '--executable-path', '/usr/bin/chromium'];
  return withServer([server, ...browser, '--viewport-size', '1280x900', '--output-dir', folder], async (client) => {
    const listing = countTokens(await listingOf(client));
    await client.callTool({ name: 'browser_navigate', arguments: { url } });
    const { content } = await client.callTool({ name: 'browser_snapshot', arguments: {} });
    return { listing, look: countTokens(content.map(({ text = '' }) => text).join('\n')) };
  });
}

async function withServer(args, use) {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...process.env }, stderr: 'ignore' }),
  );
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function listingOf(client) {
  return JSON.stringify((await client.listTools()).tools);
}
