import type { Socket } from 'node:net';

/** The D-Bus handshake, EXTERNAL only: the kernel tells the other side who we are. */
export function authenticate(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const timer = setTimeout(() => finish(new Error('no answer to the handshake')), timeoutMs);
    const onError = (error: Error) => finish(error);
    const onClose = () => finish(new Error('refused: the other side closed the connection'));
    const onConnect = () => {
      const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
      socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    };
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.length > 4096) return finish(new Error('handshake answer too long'));
      if (!answer.includes('\r\n')) return;
      if (!answer.startsWith('OK')) return finish(new Error('refused: this user may not connect'));
      socket.write('BEGIN\r\n');
      finish();
    };
    const finish = (error?: Error) => {
      clearTimeout(timer);
      socket.off('error', onError).off('close', onClose).off('connect', onConnect).off('data', onData);
      if (error) reject(error);
      else resolve();
    };
    socket.on('error', onError).on('close', onClose).on('connect', onConnect).on('data', onData);
  });
}
