import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CLI, type CliRoom } from '../cli-room.js';

/** A terminal with a shell in which a user types, read as the user sees it. It has a tmux server of its own. */
export class UserTerminal {
  private constructor(
    private readonly room: CliRoom,
    private readonly name: string,
  ) {}

  static open(room: CliRoom, name = 'it'): UserTerminal {
    const env = Object.entries(room.env).map(([key, value]) => `export ${key}='${value}'`);
    const shim = `deskproof() { '${process.execPath}' '${CLI}' "$@"; }`;
    const rc = join(room.base, `rc-${name}`);
    writeFileSync(rc, [...env, shim, "PS1='$ '", `cd '${room.base}'`].join('\n'));
    const terminal = new UserTerminal(room, name);
    const shell = `bash --noprofile --rcfile '${rc}'`;
    terminal.tmux('-f', '/dev/null', 'new-session', '-d', '-s', name, '-x', '120', '-y', '50', shell);
    return terminal;
  }

  /** As wide as a terminal usually is. */
  narrow(): void {
    this.tmux('resize-window', '-t', this.name, '-x', '80', '-y', '50');
  }

  screen(...options: string[]): string {
    return this.tmux('capture-pane', '-t', this.name, '-p', ...options);
  }

  press(...keys: string[]): void {
    this.tmux('send-keys', '-t', this.name, ...keys);
  }

  /** What was on the screen is gone; whatever runs goes on. */
  wipe(): void {
    this.tmux('send-keys', '-t', this.name, '-R');
  }

  /** Waits until the screen shows it. */
  async shows(what: RegExp): Promise<string> {
    await expect.poll(() => this.screen(), { timeout: 60_000 }).toMatch(what);
    return this.screen();
  }

  /** What a command leaves on the screen. */
  async type(line: string, ...options: string[]): Promise<string> {
    const done = join(this.room.base, `done-${this.name}`);
    this.press(`clear; ${line}; touch ${done}`, 'Enter');
    await expect.poll(() => existsSync(done), { timeout: 60_000 }).toBe(true);
    rmSync(done);
    return this.screen(...options);
  }

  end(): void {
    this.tmux('kill-server');
  }

  private tmux(...words: string[]): string {
    return execFileSync('tmux', ['-S', join(this.room.base, `tmux-${this.name}`), ...words], { encoding: 'utf8' });
  }
}
