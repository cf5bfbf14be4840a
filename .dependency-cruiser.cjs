const { ROOMS, DOORS, RUNTIME } = require('./rooms.cjs');

const TEST = '\\.test\\.ts$';
const doorPath = (name) => (name in DOORS ? `^src/${name}\\.ts$` : `^src/${name}/`);
const entrance = (name) => (name in DOORS ? `^src/${name}\\.ts$` : `^src/${name}/index\\.ts$`);

const walls = [...Object.entries(ROOMS), ...Object.entries(DOORS)].map(([room, allowed]) => ({
  name: `wall-of-${room.replace('/', '-')}`,
  comment: `${room} may import ${allowed.length ? allowed.join(', ') : 'nothing'} (their index.ts only)`,
  severity: 'error',
  from: { path: doorPath(room), pathNot: TEST },
  to: {
    path: '^src/',
    pathNot: [doorPath(room), ...allowed.map(entrance)],
  },
}));

const runtimeFolder = (name) => `^src/runtime/${name}/`;
const runtimeWalls = Object.entries(RUNTIME).map(([folder, allowed]) => ({
  name: `wall-of-runtime-${folder}`,
  comment: `runtime/${folder} may load ${allowed.length ? allowed.join(', ') : 'no other folder'} of runtime`,
  severity: 'error',
  from: { path: runtimeFolder(folder), pathNot: TEST },
  to: {
    path: '^src/runtime/',
    pathNot: [folder, ...allowed].map(runtimeFolder),
    dependencyTypesNot: ['type-only'],
  },
}));

const known = [...Object.keys(ROOMS), ...Object.keys(DOORS)].map(doorPath);

module.exports = {
  forbidden: [
    ...walls,
    ...runtimeWalls,
    {
      name: 'unknown-runtime-folder',
      comment: 'A new folder of runtime needs a line in rooms.cjs',
      severity: 'error',
      from: { path: '^src/runtime/[^/]+/', pathNot: [...Object.keys(RUNTIME).map(runtimeFolder), TEST] },
      to: {},
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'unknown-room',
      comment: 'A new folder needs a line in rooms.cjs',
      severity: 'error',
      from: { path: '^src/', pathNot: known },
      to: {},
    },
    { name: 'unknown-room-used', severity: 'error', from: {}, to: { path: '^src/', pathNot: known } },
    {
      name: 'cli-loads-mcp-on-demand',
      comment: 'By import() only: the server and its SDK take longer to load than most commands take to run',
      severity: 'error',
      from: { path: '^src/surfaces/cli/' },
      to: { path: '^src/surfaces/mcp/', dynamic: false },
    },
    {
      name: 'mcp-sdk-stays-in-its-room',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/surfaces/mcp/' },
      to: { path: '@modelcontextprotocol' },
    },
    {
      name: 'x11-stays-in-the-linux-driver',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/drivers/linux/' },
      to: { path: 'node_modules/x11/' },
    },
    {
      name: 'no-dev-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: [TEST, '^src/vitest\\.ts$'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'only-vitest-in-its-fixture',
      comment: 'Whoever imports deskproof/vitest has vitest: it is a peer',
      severity: 'error',
      from: { path: '^src/vitest\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/vitest/' },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
