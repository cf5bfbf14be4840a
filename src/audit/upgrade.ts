import { DesktopError } from '../shared/index.js';
import { parseRecord, RECORD_VERSION, type AuditRecord } from './record.js';

export type Raw = Readonly<Record<string, unknown>>;

/** `UPGRADES[n]` makes a record of version n + 1 of one of version n. Steps stay for ever: old logs can be read. */
export type Upgrades = Readonly<Record<number, (old: Raw) => Raw>>;

const UPGRADES: Upgrades = {};

export function upgradeWith(steps: Upgrades, current: number, raw: Raw): Raw {
  const { v } = raw;
  if (typeof v !== 'number' || !Number.isSafeInteger(v) || v < 1) {
    throw new DesktopError('command_failed', 'A record does not say which version it has.');
  }
  if (v > current) {
    throw new DesktopError('not_supported', `A record was written by a newer Deskproof (version ${v} of the log).`, {
      hint: 'Read it with that version: npm install -g deskproof@latest',
    });
  }
  let record = raw;
  for (let version = v; version < current; version++) {
    const step = steps[version];
    if (!step) throw new DesktopError('command_failed', `Records of version ${version} cannot be read any more.`);
    record = { ...step(record), v: version + 1 };
  }
  return record;
}

/** A record of any version that was ever written, in today's form. */
export function readRecord(raw: Raw): AuditRecord {
  return parseRecord(upgradeWith(UPGRADES, RECORD_VERSION, raw));
}
