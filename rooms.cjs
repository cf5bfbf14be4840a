// The house: which room may import which. One table; dependency-cruiser enforces it (npm run check).
// From another room only its index.ts is imported. If a wall is wrong, move it here, in the open.
const ROOMS = {
  shared: [],
  tree: ['shared'],
  selector: ['tree', 'shared'],
  policy: ['shared'],
  audit: ['shared'],
  secrets: ['shared'],
  trace: ['audit', 'selector', 'tree', 'shared'],
  vision: ['tree', 'shared'],
  'drivers/contract': ['tree', 'shared'],
  'drivers/fake': ['drivers/contract', 'tree', 'shared'],
  'drivers/linux': ['drivers/contract', 'tree', 'shared'],
  'drivers/windows': ['drivers/contract', 'tree', 'shared'],
  'drivers/macos': ['drivers/contract', 'tree', 'shared'],
  'drivers/remote': ['drivers/contract', 'tree', 'shared'],
  runtime: ['drivers/contract', 'tree', 'selector', 'policy', 'audit', 'secrets', 'vision', 'shared'],
  tools: ['runtime', 'selector', 'tree', 'shared'],
  host: ['tools', 'runtime', 'policy', 'audit', 'secrets', 'tree', 'shared', 'open-desktop', 'config'],
  'surfaces/mcp': ['host', 'tools', 'tree', 'audit', 'shared', 'config'],
  'surfaces/cli': ['host', 'tools', 'tree', 'policy', 'audit', 'trace', 'shared', 'config', 'serve', 'serve-http'],
  'surfaces/library': ['host', 'tools', 'selector', 'tree', 'policy', 'audit', 'trace', 'shared', 'config'],
  'surfaces/inspector': ['host', 'tools', 'tree', 'audit', 'shared', 'config'],
};

/** Single files at the top of src/, and what they may use. */
const DOORS = {
  'open-desktop': [
    'drivers/contract',
    'drivers/fake',
    'drivers/linux',
    'drivers/windows',
    'drivers/macos',
    'drivers/remote',
    'runtime',
    'tree',
    'shared',
    'config',
  ],
  config: ['policy', 'shared'],
  // Faces do not know each other; the words that start one from the command line go through here.
  serve: ['surfaces/mcp'],
  'serve-http': ['surfaces/mcp', 'surfaces/inspector'],
  index: ['surfaces/library', 'config'],
  vitest: ['surfaces/library'],
};

module.exports = { ROOMS, DOORS };
