// npm start: sets up what is missing, then runs the demo.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');
const { MINIMAL } = await import('./packages.mjs');
const { passThrough, ROOT } = await import('./run.mjs');

console.log('Deskproof demo: a private desktop, two real apps. Your desktop is not touched.');
await prepare({ packages: MINIMAL });
// The demo's own first line stands above already.
const env = { ...process.env, DESKPROOF_TITLE_SHOWN: '1' };
await passThrough(process.execPath, [`${ROOT}/dist/surfaces/cli/deskproof.js`, 'demo', ...process.argv.slice(2)], env);
