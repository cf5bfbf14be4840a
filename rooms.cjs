// The house: which room may import which. One table; dependency-cruiser enforces it (npm run check).
// From another room only its index.ts is imported. If a wall is wrong, move it here, in the open.
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Every other folder of src/drivers is a driver. None of them knows another one. */
const NOT_DRIVERS = new Set(['contract', 'protocol']);
const DRIVERS = join(__dirname, 'src/drivers');
const driverRooms = (existsSync(DRIVERS) ? readdirSync(DRIVERS, { withFileTypes: true }) : [])
  .filter((entry) => entry.isDirectory() && !NOT_DRIVERS.has(entry.name))
  .map(({ name }) => `drivers/${name}`);

const ROOMS = {
  shared: [],
  tree: ['shared'],
  selector: ['tree', 'shared'],
  policy: ['platform', 'shared'],
  audit: ['platform', 'shared'],
  secrets: ['platform', 'shared'],
  imaging: ['shared'],
  // OS facts that are not UI. Not for runtime, tools, tree and selector: they get them from a driver or as a function.
  platform: ['shared'],
  replay: ['audit', 'policy', 'selector', 'tree', 'tools', 'shared'],
  vision: ['tree', 'imaging', 'shared'],
  'drivers/contract': ['tree', 'imaging', 'shared'],
  // The contract as JSON text.
  'drivers/protocol': ['drivers/contract', 'shared'],
  ...Object.fromEntries(
    driverRooms.map((room) => [room, ['drivers/contract', 'tree', 'imaging', 'platform', 'shared']]),
  ),
  runtime: ['drivers/contract', 'tree', 'selector', 'policy', 'audit', 'secrets', 'vision', 'imaging', 'shared'],
  tools: ['runtime', 'selector', 'tree', 'imaging', 'shared'],
  host: [
    'tools',
    'runtime',
    'policy',
    'audit',
    'secrets',
    'tree',
    'imaging',
    'platform',
    'shared',
    'compose',
    'config',
  ],
  'surfaces/mcp': ['host', 'tools', 'tree', 'audit', 'imaging', 'platform', 'shared', 'config'],
  'surfaces/cli': [
    'host',
    'tools',
    'tree',
    'policy',
    'audit',
    'replay',
    'imaging',
    'platform',
    'shared',
    'config',
    // `deskproof mcp` starts the MCP server, by import() only: other commands must not load it.
    'surfaces/mcp',
  ],
  'surfaces/library': [
    'host',
    'tools',
    'selector',
    'tree',
    'policy',
    'audit',
    'replay',
    'imaging',
    'platform',
    'shared',
    'config',
  ],
  'surfaces/inspector': ['host', 'tools', 'tree', 'audit', 'imaging', 'platform', 'shared', 'config'],
};

/** Single files at the top of src/, and what they may use. */
const DOORS = {
  'drivers/registry': ['drivers/contract', ...driverRooms, 'shared'],
  compose: ['drivers/contract', 'drivers/registry', 'runtime', 'tree', 'platform', 'shared', 'config'],
  config: ['policy', 'shared'],
  index: ['surfaces/library', 'config'],
  vitest: ['surfaces/library'],
};

/**
 * The folders of src/runtime, from the lowest to the highest, and which of the others each may load. Type-only imports
 * are free: the class `Desktop` is composed near the top and named in signatures everywhere.
 */
const RUNTIME = {
  request: [],
  approval: ['request'],
  // Input waits while a question is open.
  user: ['approval'],
  visibility: ['request'],
  observe: ['visibility'],
  locate: ['observe', 'visibility'],
  actionability: ['locate', 'observe', 'request', 'visibility'],
  conditions: ['locate', 'observe'],
  capture: ['locate', 'observe', 'request', 'visibility'],
  authorization: ['actionability', 'approval', 'observe', 'request', 'visibility'],
  desktop: ['actionability', 'authorization', 'capture', 'request', 'user', 'visibility'],
  verify: ['actionability', 'conditions', 'locate', 'observe', 'request'],
  gestures: ['actionability', 'request', 'verify'],
  act: [
    ...['actionability', 'approval', 'authorization', 'capture', 'conditions', 'locate', 'observe', 'request'],
    ...['user', 'verify', 'visibility'],
  ],
  call: ['act', 'authorization', 'locate', 'request', 'verify', 'visibility'],
};

module.exports = { ROOMS, DOORS, RUNTIME };
