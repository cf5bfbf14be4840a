import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

export const COOKIE_NAME = 'MIT-MAGIC-COOKIE-1';

/**
 * An X authority file with one entry for any address and any display (family 65535, empty number), so that it can
 * exist before the display has a number. Returns the cookie.
 */
export function writeCookie(file: string): Buffer {
  const cookie = randomBytes(16);
  const entry = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_NAME), cookie];
  const parts = entry.flatMap((data) => [uint16(data.length), data]);
  writeFileSync(file, Buffer.concat([uint16(65535), ...parts]), { mode: 0o600, flag: 'wx' });
  return cookie;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
