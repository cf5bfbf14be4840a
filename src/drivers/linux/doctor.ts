import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Deadline } from '../../shared/index.js';
import { cleanName } from '../../tree/index.js';
import type { Finding } from '../contract/index.js';
import { DBusError } from './dbus/connection.js';
import { countElements, examineAccessibility, type AccessibilityExamination } from './doctor-accessibility.js';
import type { Environment } from './session-bus.js';
import { examineDisplay } from './doctor-display.js';
import { identifyProcess, type ProcessIdentity } from './processes.js';

/** A Chromium without renderer accessibility exposes its window, tool bar and little more: 4 elements were measured. */
const ENOUGH_ELEMENTS = 12;
const MAX_APPS = 10;
const FLAG = '--force-renderer-accessibility';

/** Reports what works in this session and what does not, each with the command that repairs it. Changes nothing. */
export async function examineSession(env: Environment, deadline: Deadline): Promise<Finding[]> {
  const [display, accessibility] = await Promise.all([
    examineDisplay(env, deadline),
    examineAccessibility(env, deadline),
  ]);
  try {
    const pids = new Set([
      ...display.windows.map((window) => window.pid).filter((pid) => pid !== undefined),
      ...accessibility.apps.map((app) => app.pid),
    ]);
    const programs = [...pids].map(identifyProcess).filter((identity) => identity !== undefined);
    return [
      ...display.findings,
      ...accessibility.findings,
      ...unresponsiveApps(accessibility, programs),
      ...(await browsersWithoutTree(accessibility, programs)),
    ];
  } finally {
    accessibility.bus?.close();
  }
}

function unresponsiveApps({ apps }: AccessibilityExamination, programs: readonly ProcessIdentity[]): Finding[] {
  return apps
    .filter((app) => !app.answers)
    .slice(0, MAX_APPS)
    .map(({ pid }) => {
      const process = programs.find((one) => one.pid === pid);
      const who = `${nameOf(process)} (pid ${pid})`;
      const words = process?.stopped
        ? { what: `${who} is stopped and does not answer`, fix: `kill -CONT ${pid}` }
        : { what: `${who} does not answer`, fix: `Wait for it, or end it: kill ${pid}` };
      return { level: 'warn', ...words, ...appDetails(pid, process) };
    });
}

/** Chromium and Electron build their trees only if they were started with the flag. */
async function browsersWithoutTree(
  { apps, bus }: AccessibilityExamination,
  programs: readonly ProcessIdentity[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const process of programs) {
    const kind = process.program && browserKind(process.program);
    if (!kind || !bus || process.stopped || findings.length >= MAX_APPS) continue;
    const app = apps.find((one) => one.pid === process.pid);
    if (app && !app.answers) continue;
    const count = app ? await countOrNone(() => countElements(bus, app.busName, ENOUGH_ELEMENTS)) : 0;
    if (count === undefined || count >= ENOUGH_ELEMENTS) continue;
    findings.push({
      level: 'warn',
      what: `${nameOf(process)} (${kind}) exposes ${count} elements: start it with ${FLAG}`,
      fix: `Close it, then run: ${basename(process.program!)} ${FLAG}`,
      ...appDetails(process.pid, process),
    });
  }
  return findings;
}

async function countOrNone(count: () => Promise<number>): Promise<number | undefined> {
  try {
    return await count();
  } catch (error) {
    if (error instanceof DBusError) return undefined; // The app ended or hangs, so its tree is unknown.
    throw error;
  }
}

/** Recognised by files that every build ships beside the program. */
function browserKind(program: string): 'Chromium' | 'Electron' | undefined {
  const beside = (file: string): boolean => existsSync(join(dirname(program), file));
  if (!beside('icudtl.dat') || !(beside('v8_context_snapshot.bin') || beside('snapshot_blob.bin'))) return undefined;
  return beside('resources/app.asar') || beside('resources/app') || beside('resources/default_app.asar')
    ? 'Electron'
    : 'Chromium';
}

function appDetails(pid: number, process: ProcessIdentity | undefined): Pick<Finding, 'app'> {
  const program = process?.program;
  return { app: { pid, name: nameOf(process), ...(program !== undefined && { program }) } };
}

function nameOf(process: ProcessIdentity | undefined): string {
  return cleanName(process?.app ?? 'an app').text;
}
