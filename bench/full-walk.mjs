// The whole tree of an app with the driver's own D-Bus client: the same properties of the same elements as
// pyatspi_walk.py reads, each call sent as soon as what it depends on is known.
import {
  ACCESSIBLE,
  ACTION,
  COMPONENT,
  ROOT_PATH,
  SCREEN,
  TEXT,
  VALUE,
} from '../dist/drivers/linux/atspi/accessible.js';
import {
  readChildCount,
  readChildren,
  readInterfaces,
  readNumber,
  readRole,
  readString,
} from '../dist/drivers/linux/atspi/accessible.js';
import { StateSet } from '../dist/drivers/linux/atspi/states.js';
import { readText, readTextLength } from '../dist/drivers/linux/atspi/text.js';
import { coreWait } from './core-wait.mjs';

const MANY = 5000;

/** `calls`: an AppCalls of the driver. */
export async function fullWalk(calls) {
  const records = [];
  const { pid } = calls.app;
  const waited = coreWait(pid) ?? 0;
  const started = performance.now();
  await readNode(calls, ROOT_PATH, records);
  const ms = performance.now() - started;
  return { ms, appWaited: (coreWait(pid) ?? 0) - waited, calls: calls.count, ...summary(records) };
}

async function readNode(calls, path, records) {
  const record = {};
  records.push(record);
  const [states, role, name, interfaces, count] = await Promise.all([
    calls.maybe(calls.call(path, ACCESSIBLE, 'GetState')),
    readRole(calls, path),
    readString(calls, path, ACCESSIBLE, 'Name'),
    readInterfaces(calls, path),
    readChildCount(calls, path),
  ]);
  if (!states) return (record.gone = true);
  Object.assign(record, { states: states[0], role, name, interfaces });
  const below = count > MANY || StateSet.from(states[0]).has('managesDescendants') ? 0 : count;
  const [extents, actions, value, text] = await Promise.all([
    interfaces.has(COMPONENT) ? calls.maybe(calls.call(path, COMPONENT, 'GetExtents', 'u', [SCREEN])) : undefined,
    interfaces.has(ACTION) ? actionNames(calls, path) : undefined,
    interfaces.has(VALUE) ? readNumber(calls, path, VALUE, 'CurrentValue') : undefined,
    interfaces.has(TEXT) ? wholeText(calls, path) : undefined,
    below > 0 ? readBelow(calls, path, records) : undefined,
  ]);
  Object.assign(record, { extents: extents?.[0], actions, value, text });
}

async function readBelow(calls, path, records) {
  const children = await readChildren(calls, path);
  // pyatspi counts children of another process (a plug-in) too, but there are none in these apps.
  await Promise.all(children.map((child) => readNode(calls, child[1], records)));
}

/** As pyatspi asks: GetActions would also fetch descriptions and keys, which cost LibreOffice more than the names. */
async function actionNames(calls, path) {
  const count = (await readNumber(calls, path, ACTION, 'NActions')) ?? 0;
  const names = Array.from({ length: count }, (_, i) => calls.maybe(calls.call(path, ACTION, 'GetName', 'i', [i])));
  return (await Promise.all(names)).map((answer) => answer?.[0]);
}

async function wholeText(calls, path) {
  return readText(calls, path, 0, (await readTextLength(calls, path)) ?? 0);
}

function summary(records) {
  const there = records.filter((record) => !record.gone);
  const sum = (measure) => there.reduce((total, record) => total + measure(record), 0);
  return {
    nodes: there.length,
    gone: records.length - there.length,
    nameChars: sum(({ name }) => [...name].length),
    textChars: sum(({ text }) => [...(text ?? '')].length),
    actions: sum(({ actions }) => actions?.length ?? 0),
    values: sum(({ interfaces }) => (interfaces.has(VALUE) ? 1 : 0)),
    placed: sum(({ extents }) => (extents ? 1 : 0)),
  };
}
