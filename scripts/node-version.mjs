// Read by old versions of Node too, so nothing modern is used here.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Deskproof needs Node 20.19 or newer, and this is ${process.versions.node}: see https://nodejs.org`);
  process.exit(1);
}
