import { cleanName, roleFromAtspi, type StateName } from '../../../tree/index.js';
import type { DriverEvent } from '../../contract/index.js';
import type { DBus } from '../dbus/connection.js';
import type { Incoming } from '../dbus/message.js';
import type { Variant } from '../dbus/reader.js';
import { ACCESSIBLE, REGISTRY } from '../atspi/accessible.js';

/** The signals that apps are asked to send. Only those that we use: each kind costs the app work at every change. */
const EVENT_KINDS = [
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

const CALL_MS = 2000;

/**
 * Asks apps to send the signals that we use. Done once for the life of the driver: apps learn of it some time later (Qt
 * queries the registry again), so a request for each stream would miss the events right after it.
 */
export async function requestEvents(bus: DBus): Promise<void> {
  const registry = { destination: REGISTRY, path: '/org/a11y/atspi/registry', interface: REGISTRY };
  await Promise.all(
    EVENT_KINDS.map((name) =>
      bus.call({ ...registry, member: 'RegisterEvent', signature: 'sass', body: [name, [], ''] }, CALL_MS),
    ),
  );
}

export async function subscribe(bus: DBus): Promise<void> {
  await bus.addMatch("type='signal',interface='org.a11y.atspi.Event.Object'", CALL_MS);
}

/** The driver event for a signal; undefined if no event is needed. A `focus` event still lacks role and name. */
export function toDriverEvent(signal: Incoming, at: number): DriverEvent | undefined {
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

/** Role and name of the focused element, for display. Empty if the app is busy or gone. */
export async function readFocusDetails(bus: DBus, signal: Incoming): Promise<{ role?: string; name?: string }> {
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
    // The event itself matters; it is reported even without these details.
    return {};
  }
}
