import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnchorOptions } from './anchor.js';
import { openLedger } from '../write/open-ledger.js';
import { ledgerPlaces } from '../locations.js';
import { parseSigned } from '../signed-head.js';
import { verifyDesktop } from './verify.js';

let root: string;
let kept: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-anchor-'));
  kept = join(root, 'kept');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };
const places = () => ledgerPlaces('desk', { HOME: root });
const open = (anchor: AnchorOptions) =>
  openLedger({ places: places(), software: 'deskproof/test', anchor, limits: { checkpointRecords: 4 } });
const keeping = (): string[] => ['sh', '-c', 'cat >> "$0"', kept];
const received = () => (existsSync(kept) ? readFileSync(kept, 'utf8').trimEnd().split('\n').map(parseSigned) : []);

describe('an outside anchor', () => {
  it('gets each signed statement as one line: at the start, at each checkpoint, at rotation and at the end', async () => {
    const ledger = await open({ command: keeping() });
    for (let at = 0; at < 9; at++)
      await ledger.outcome(await ledger.intent(click), { status: 'ok', delivered: 'yes', durationMs: 1 });
    await ledger.rotate();
    await ledger.close();
    const seqs = received().map((signed) => signed?.seq);
    expect(seqs.length).toBeGreaterThanOrEqual(6);
    expect(seqs).toEqual([...seqs].sort((a, b) => a! - b!));
    expect(new Set(received().map((signed) => signed?.segment))).toEqual(new Set([1, 2]));
    expect(verifyDesktop(places(), { anchor: kept })).toMatchObject({ ok: true, records: ledger.seq });
    expect(ledger.anchorTrouble).toBeUndefined();
  });

  const broken: [string, string[]][] = [
    ['is not there', ['/nonexistent/anchor']],
    ['fails', ['false']],
    ['does not read and fails', ['sh', '-c', 'exec <&-; exit 3']],
    ['never ends', ['sleep', '1000']],
  ];
  it.each(broken)('that %s stops no acts unless it is required', async (_, command) => {
    const timeoutMs = 300;
    const ledger = await open({ command, timeoutMs });
    await ledger.intent(click);
    await vi.waitFor(() => expect(ledger.anchorTrouble).toBeInstanceOf(Error), { timeout: 10_000 });
    await ledger.close();
    const strict = await open({ command, timeoutMs, required: true });
    const before = strict.seq;
    await expect(strict.intent(click)).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: expect.stringContaining('anchor') as string,
    });
    expect(strict.seq).toBe(before);
    await strict.call({ ...click, tool: 'ui_snapshot', status: 'ok' });
    await strict.close();
  });

  it('that is required and works again lets acts continue, and gets all that it missed', async () => {
    const script = join(root, 'anchor.sh');
    writeFileSync(script, '#!/bin/sh\nexit 1\n');
    chmodSync(script, 0o700);
    const ledger = await open({ command: [script], required: true });
    await expect(ledger.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
    writeFileSync(script, `#!/bin/sh\ncat >> ${kept}\n`);
    await ledger.intent(click);
    expect(received()).toHaveLength(1);
    await ledger.close();
    expect(verifyDesktop(places(), { anchor: kept }).ok).toBe(true);
  });
});
