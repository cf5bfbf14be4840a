import { createInterface } from 'node:readline/promises';
import { interrupt } from './approve/ask-here.js';

/** Whether the person at this terminal says yes. An empty line, the end of the input and all else are a no. */
export async function saysYes(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', interrupt);
  try {
    const over = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^\s*y(es)?\s*$/i.test(await Promise.race([lines.question(`${question} [y/N] `, { signal }), over]));
  } finally {
    lines.close();
  }
}
