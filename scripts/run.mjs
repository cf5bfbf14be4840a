import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** A program of node_modules/.bin, run by this very node. */
export const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

/** Ends this process with one sentence. */
export function giveUp(message) {
  console.error(message);
  process.exit(1);
}

/** Runs it and collects what it says. Never throws; a program that is not there has code 127. */
export function capture(command, args, { begun, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (child.pid !== undefined) begun?.(child.pid);
    let output = '';
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', () => resolve({ code: 127, output: `${command} is not installed`, stdout: '' }));
    child.on('close', (code) => resolve({ code: code ?? 1, output, stdout }));
  });
}

/** Runs a long step with its output in a log, which is shown and kept only when the step fails. */
export async function quietly(title, command, args, env = process.env) {
  const log = join(tmpdir(), `deskproof-${process.pid}-${Date.now()}.log`);
  const file = openSync(log, 'wx', 0o600);
  const started = Date.now();
  process.stdout.write(`  ${title} … `);
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['inherit', file, file] });
    child.on('error', () => resolve(127));
    child.on('exit', (status) => resolve(status ?? 1));
  });
  closeSync(file);
  if (code === 0) {
    rmSync(log);
    console.log(`done in ${Math.max(1, Math.round((Date.now() - started) / 1000))} s`);
    return true;
  }
  console.log('failed');
  const tail = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20);
  console.error([...tail.map((line) => `    ${line}`), `  The whole log: ${log}`].join('\n'));
  return false;
}

/** Becomes the program: same terminal, same signals, same end. */
export async function passThrough(command, args, env = process.env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  // Ctrl-C reaches the child by the terminal itself; what is sent to us alone is handed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => {
    child.on('error', () => resolve([127, null]));
    child.on('exit', (...end) => resolve(end));
  });
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(code ?? 1);
}
