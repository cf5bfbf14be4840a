/** A window's id as the rest of the house knows it: `x:0x1a00007`. */
export function windowIdOf(xid: number): string {
  return `x:0x${xid.toString(16)}`;
}

export function xidOf(windowId: string): number | undefined {
  const digits = /^x:0x([0-9a-f]{1,8})$/.exec(windowId)?.[1];
  return digits === undefined ? undefined : parseInt(digits, 16);
}
