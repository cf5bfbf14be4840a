import { cleanName, roleFromAtspi, type StateName } from '../../../tree/index.js';
import type { DriverEvent } from '../../contract/index.js';
import type { DBus, Incoming, Variant } from '../dbus/index.js';
import { ACCESSIBLE, REGISTRY } from '../atspi/accessible.js';

/** What apps are asked to announce. Only what we use: each kind costs the app work at every change. */
const WANTED = [
  'object:state-changed',
  'object:children-changed',
  'object:text-changed',
  'object:property-change:accessible-name',
  'object:property-change:accessible-value',
];

const STATES: Record<string, StateName> = {
  busy: 'busy',
  checked: 'checked',
  editable: 'editable',
  enabled: 'enabled',
  sensitive: 'enabled',
  expanded: 'expanded',
  'invalid-entry': 'invalid',
  modal: 'modal',
  pressed: 'pressed',
  required: 'required',
  selected: 'selected',
  showing: 'visible',
};

const LIMIT_MS = 2000;

/**
 * Asks the apps to announce what we use. Done once, for the life of the driver: apps learn of it some time later (Qt
 * asks the registry again), so that a request made with each stream would miss what happens right after.
 */
export async function announceEvents(bus: DBus): Promise<void> {
  const registry = { destination: REGISTRY, path: '/org/a11y/atspi/registry', interface: REGISTRY };
  await Promise.all(
    WANTED.map((name) =>
      bus.call({ ...registry, member: 'RegisterEvent', signature: 'sass', body: [name, [], ''] }, LIMIT_MS),
    ),
  );
}

export async function subscribe(bus: DBus): Promise<void> {
  await bus.addMatch("type='signal',interface='org.a11y.atspi.Event.Object'", LIMIT_MS);
}

/** The driver's event for a signal; undefined for what nobody needs. `focus` still lacks its words. */
export function eventFrom(signal: Incoming, at: number): DriverEvent | undefined {
  if (!signal.sender || !signal.path) return undefined;
  const element = signal.sender + signal.path;
  const [kind, detail] = signal.body();
  if (typeof kind !== 'string') return undefined;
  switch (signal.member) {
    case 'StateChanged': {
      if (kind === 'focused') return detail ? { type: 'focus', at, element } : undefined;
      const state = STATES[kind];
      return state && { type: 'state', at, element, state, on: detail !== 0 };
    }
    case 'ChildrenChanged':
      return { type: 'children', at, element, change: kind.startsWith('add') ? 'added' : 'removed' };
    case 'TextChanged':
      return { type: 'text', at, element, change: kind.startsWith('insert') ? 'inserted' : 'deleted' };
    case 'PropertyChange':
      if (kind === 'accessible-value') return { type: 'value', at, element };
      return kind === 'accessible-name' ? { type: 'name', at, element } : undefined;
    default:
      return undefined;
  }
}

/** Role and name of what got the focus, so that the event can be told in words. Empty when the app is busy or gone. */
export async function focusWords(bus: DBus, signal: Incoming): Promise<{ role?: string; name?: string }> {
  const target = { destination: signal.sender, path: signal.path! };
  try {
    const [[role], [name]] = await Promise.all([
      bus.call({ ...target, interface: ACCESSIBLE, member: 'GetRole' }, 300),
      bus.call(
        {
          ...target,
          interface: 'org.freedesktop.DBus.Properties',
          member: 'Get',
          signature: 'ss',
          body: [ACCESSIBLE, 'Name'],
        },
        300,
      ),
    ]);
    const value = (name as Variant).value;
    const text = typeof value === 'string' ? cleanName(value).text.trim() : '';
    return { role: roleFromAtspi(role as number), ...(text !== '' && { name: text }) };
  } catch {
    // The event itself is what counts; without words it is still told.
    return {};
  }
}
