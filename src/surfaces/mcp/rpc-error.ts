/** An error of the protocol, in our words alone: the SDK's own class puts the code into the text, and clients do again. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
