import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Finding } from '../contract/index.js';
import { Apps, type AppName } from './atspi/apps.js';
import { ACCESSIBLE, PROPERTIES, ROOT_PATH } from './atspi/accessible.js';
import { DBus, DBusError } from './dbus/connection.js';
import type { Variant } from './dbus/reader.js';
import { installCommand } from './private-desktop/requirements.js';
import { sessionBusAddress, type Environment } from './session-bus.js';

export interface AccessibilityExamination {
  findings: Finding[];
  /** Apps on the accessibility bus, and whether they answered a simple request. */
  apps: (AppName & { answers: boolean })[];
  /** Stays open until the caller closes it; absent if there is none. */
  bus?: DBus;
}

const STATUS = 'org.a11y.Status';
const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};
const LAUNCHER = { destination: 'org.a11y.Bus', path: '/org/a11y/bus' };
/** A healthy app answers in a few milliseconds. */
const ANSWER_MS = 700;
const BUS_MS = 2000;
const SWITCH_ON =
  'dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set string:org.a11y.Status string:IsEnabled variant:boolean:true';
const START_PRIVATE = 'deskproof desktop start';

/** Checks from the session bus down to the apps and stops at the first missing part. Switches nothing on. */
export async function examineAccessibility(env: Environment, deadline: Deadline): Promise<AccessibilityExamination> {
  const none = (finding: Finding): AccessibilityExamination => ({ findings: [finding], apps: [] });
  const address = sessionBusAddress(env);
  if (!address) {
    const fix = `export DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus, or ${START_PRIVATE}`;
    return none({ level: 'fail', what: 'no session bus: DBUS_SESSION_BUS_ADDRESS is not set', fix });
  }
  let session: DBus;
  try {
    session = await DBus.connect(address, { timeoutMs: Math.min(BUS_MS, deadline.remaining()) });
  } catch (error) {
    if (!(error instanceof DBusError)) throw error;
    const fix = `Check DBUS_SESSION_BUS_ADDRESS (another user's bus is not open to you), or ${START_PRIVATE}`;
    return none({ level: 'fail', what: 'the session bus does not answer', fix });
  }
  try {
    return await examineBuses(session, env, deadline);
  } catch (error) {
    if (!(error instanceof DBusError) && !(error instanceof DesktopError)) throw error;
    return none({ level: 'fail', what: `the accessibility bus does not answer: ${error.message}`, fix: START_PRIVATE });
  } finally {
    session.close();
  }
}

async function examineBuses(session: DBus, env: Environment, deadline: Deadline): Promise<AccessibilityExamination> {
  const limit = (): number => Math.min(BUS_MS, deadline.remaining());
  const [activatable] = (await session.call({ ...DAEMON, member: 'ListActivatableNames' }, limit())) as [string[]];
  const [owned] = await session.call(
    { ...DAEMON, member: 'NameHasOwner', signature: 's', body: [LAUNCHER.destination] },
    limit(),
  );
  if (owned !== true && !activatable.includes(LAUNCHER.destination)) {
    const fix = installCommand(['at-spi2-core']);
    return {
      findings: [{ level: 'fail', what: 'no accessibility bus: at-spi2-core is not installed', fix }],
      apps: [],
    };
  }
  const [address] = await session.call({ ...LAUNCHER, interface: LAUNCHER.destination, member: 'GetAddress' }, limit());
  const [enabled] = await session.call(
    { ...LAUNCHER, interface: PROPERTIES, member: 'Get', signature: 'ss', body: [STATUS, 'IsEnabled'] },
    limit(),
  );
  const bus = await DBus.connect(env.AT_SPI_BUS_ADDRESS ?? (address as string), { timeoutMs: limit() });
  try {
    const listed = await new Apps(bus).list(deadline.atMost(BUS_MS));
    const apps = await Promise.all(
      listed.map(async (app) => ({ ...app, answers: (await childCount(bus, app.busName, ROOT_PATH)) !== undefined })),
    );
    const answering = apps.filter((app) => app.answers).length;
    const findings: Finding[] = [
      { level: 'ok', what: `accessibility bus, ${answering} ${answering === 1 ? 'app answers' : 'apps answer'}` },
    ];
    if ((enabled as Variant).value !== true) {
      findings.push({
        level: 'warn',
        what: 'accessibility is not switched on: Qt and Chromium apps that start now show nothing',
        fix: SWITCH_ON,
      });
    }
    if (env.NO_AT_BRIDGE) {
      findings.push({
        level: 'warn',
        what: 'NO_AT_BRIDGE is set: GTK apps started from here show nothing',
        fix: 'unset NO_AT_BRIDGE',
      });
    }
    return { findings, apps, bus };
  } catch (error) {
    bus.close();
    throw error;
  }
}

/** Undefined if there is no answer. */
async function childCount(bus: DBus, busName: string, path: string): Promise<number | undefined> {
  try {
    const [variant] = await bus.call(
      {
        destination: busName,
        path,
        interface: PROPERTIES,
        member: 'Get',
        signature: 'ss',
        body: [ACCESSIBLE, 'ChildCount'],
      },
      ANSWER_MS,
    );
    const { value } = variant as Variant;
    return typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (error instanceof DBusError) return undefined;
    throw error;
  }
}

/** Counts the elements of an app up to `enough`, and never descends into a large container. */
export async function countElements(bus: DBus, busName: string, enough: number): Promise<number> {
  let count = 0;
  let level: [string, string][] = [[busName, ROOT_PATH]];
  for (let depth = 0; level.length > 0 && count < enough && depth < 12; depth += 1) {
    const below: [string, string][] = [];
    for (const [name, path] of level) {
      const children = await childCount(bus, name, path);
      if (!children || children < 0) continue;
      count += children;
      if (count >= enough) return count;
      const [found] = (await bus.call(
        { destination: name, path, interface: ACCESSIBLE, member: 'GetChildren' },
        ANSWER_MS,
      )) as [[string, string][]];
      below.push(...found);
    }
    level = below;
  }
  return count;
}
