/** The few lines that every script begins with. They are plain JavaScript and strict TypeScript at once. */
export const PROLOGUE = `const [, desktop] = /^--desktop[ =](\\S+)$/.exec(process.argv.slice(2).join(' ')) ?? [];

function end(code = 1, words = '') {
  console.error(words);
  process.exit(code);
}

/** One command, without a shell. A flag that is null is left out. */
function act(step = 0, command = '', args = {}) {
  const flags = Object.entries(args).flatMap(([name, value]) => {
    const flag = \`--\${name.replace(/[A-Z]/g, (letter) => \`-\${letter.toLowerCase()}\`)}\`;
    if (name === '--' || value === null || value === false) return [];
    if (value === true) return [flag];
    if (Array.isArray(value)) return [\`\${flag}=\${value.join(',')}\`];
    return [\`\${flag}=\${typeof value === 'object' ? JSON.stringify(value) : value}\`];
  });
  const words = Object.entries(args).flatMap(([name, value]) => (name === '--' && Array.isArray(value) ? ['--', ...value] : []));
  console.log(\`\${step}: \${command}\`);
  const { status, error } = spawnSync('deskproof', [command, \`--desktop=\${desktop}\`, ...flags, ...words], { stdio: 'inherit' });
  if (error) end(1, \`Step \${step}: deskproof could not be run: \${error.message}\`);
  if (status !== 0) end(status ?? 1, \`Step \${step} (\${command}) failed. What comes after it was not done.\`);
}

const empty = Object.entries(missing).filter(([, value]) => value === undefined);
if (empty.length > 0) end(2, \`Nothing was done: fill in \${empty.map(([name]) => name).join(', ')} under "missing" in this script first.\`);
if (desktop === undefined) end(2, 'Nothing was done: say on which desktop, with --desktop NAME (user is your own screen).');
`;
