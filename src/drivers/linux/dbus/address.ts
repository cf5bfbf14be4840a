/** Where a bus listens: the first transport of an address that a Unix socket can reach. */
export function socketPath(address: string): string | undefined {
  for (const alternative of address.split(';')) {
    const [transport, rest = ''] = splitOnce(alternative, ':');
    if (transport !== 'unix') continue;
    const options = new Map(rest.split(',').map((pair) => splitOnce(pair, '=')));
    const path = options.get('path');
    if (path !== undefined) return unescape(path);
    const abstract = options.get('abstract');
    // Node spells abstract sockets with a leading NUL.
    if (abstract !== undefined) return `\0${unescape(abstract)}`;
  }
  return undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Escapes are bytes, and several of them may be one character. */
function unescape(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}
