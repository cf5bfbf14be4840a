import { describe, expect, test } from 'vitest';
import { DesktopError } from '../shared/index.js';
import { Taint, TYPED } from './taint.js';

const VPN = 'p"é% hünter2 LONG';
const WINDOW = 'win-1';

function tainted(): Taint {
  const taint = new Taint();
  taint.typed({ name: 'vpn', value: VPN, window: WINDOW, title: 'Sign in', field: 'f1' });
  return taint;
}

describe('before anything was typed', () => {
  const taint = new Taint();
  const json = { name: VPN };
  const node = { id: 'f1', name: VPN, children: [] };
  test('everything stays the very same', () => {
    expect(taint.empty).toBe(true);
    expect(taint.redactText(VPN)).toBe(VPN);
    expect(taint.redactValue(json)).toBe(json);
    expect(taint.redactTree(node, WINDOW)).toBe(node);
    expect(taint.placesToPaint([node], WINDOW)).toEqual({ boxes: [], whole: false });
    const error = new DesktopError('timeout', VPN);
    expect(taint.redactError(error)).toBe(error);
  });
});
