import type { Command } from 'commander';

/** What one types, and what it is for. */
type Example = readonly [line: string, what: string];

/** For the help of each command, by its words. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  demo: [['demo --visible', 'in a window of your own display']],
  init: [
    ['init', 'for each client that is installed: the change, and a question'],
    ['init --print --desktop virtual', 'only the lines; they get a private desktop'],
  ],
  doctor: [['doctor --desktop work', 'of a private desktop']],
  'list-windows': [['list-windows --filter mousepad', 'those of one app']],
  snapshot: [
    ['snapshot Calculator', 'one window'],
    ["snapshot '*' --interactive", 'all windows, controls only'],
    ['snapshot --since s7', 'what changed since that look'],
  ],
  query: [["query 'button:Save' --window w3", 'where it is, how sure, and why']],
  describe: [
    ['describe e12', 'all about one element'],
    ['describe --at 400,300', 'what is at a point'],
  ],
  read: [
    ['read e40 25-60', 'rows of a table, also off screen'],
    ["read 'textbox:Document'", 'a whole text'],
  ],
  capture: [
    ['capture Calculator -o calc.png', 'one window'],
    ['capture --region 0,0,400,300 -o corner.png', 'a part of the screen'],
  ],
  events: [['events --follow', 'as they happen, until Ctrl-C']],
  wait: [
    ["wait 'button:Save && enabled=true'", 'until it can be pressed'],
    ['wait \'{"windowClosed":"Save As"}\' --timeout-ms 30000', 'until a window is closed'],
  ],
  assert: [['assert \'{"value":["#total",100]}\'', 'exit code 1 when it is not so']],
  click: [
    ["click 'button:Save' --window w3", 'by role and name'],
    ['click e22 --verify \'{"window":"Save As"}\'', 'and prove what it is for'],
    ['click \'row:"Ada"\' --button right', 'with the other button'],
  ],
  type: [
    ["type 'héllo' 'textbox:Name' --enter", 'at its caret, then Enter'],
    ["type --secret vpn 'textbox:Password'", 'what only your policy knows'],
  ],
  key: [['key ctrl+s --window w3', 'for whatever has the focus there']],
  'set-value': [
    ["set-value 'spinbutton:Age' 36", 'replaces it, and reads it back'],
    ["set-value cell:B4 '=A1*2'", 'a cell of a sheet'],
  ],
  act: [['act check \'checkbox:"I accept"\'', 'unless it is ticked already']],
  scroll: [["scroll 'table:Orders' --until 'row:\"1100\"'", 'until it shows']],
  drag: [["drag 'listitem:notes.txt' 'listitem:Documents'", 'one onto the other']],
  'click-xy': [['click-xy 400 300', 'the last resort: a point of the screen']],
  clipboard: [
    ['clipboard', 'what is in it'],
    ["clipboard 'some text'", 'replaces it'],
  ],
  window: [
    ['window maximize Calculator', 'by title'],
    ['window move w2 --x 0 --y 0', 'by ref'],
  ],
  launch: [['launch mousepad notes.txt', 'and wait for its window']],
  batch: [
    ['batch steps.json --snapshot', 'calls from a file, then a look'],
    ['batch -', 'calls from standard input'],
  ],
  capabilities: [['capabilities --desktop work', 'what works there, and what the policy allows']],
  'selector explain': [["selector explain 'dialog:Open >> button:Cancel'", 'how it is read, and what it finds']],
  'selector suggest': [['selector suggest e22', 'one that will last']],
  'desktop start': [['desktop start --name work --size 1600x1000', 'stays until it is stopped']],
  'desktop run': [['desktop run -- npm test', 'in a new one that ends with the command']],
  'desktop launch': [['desktop launch --name work -- mousepad notes.txt', 'and wait for its window']],
  'desktop list': [['desktop list --json', 'for programs']],
  'desktop env': [['desktop env work', 'for eval "$(…)": this shell then lives in it']],
  'desktop view': [['desktop view work -o work.png', 'what a person would see']],
  'desktop stop': [['desktop stop --all', 'every one that runs']],
  'policy init': [['policy init', 'writes a first one, to be changed']],
  'policy check': [['policy check', 'what is wrong with it, line by line']],
  'policy explain': [["policy explain click 'button:Delete' --window Files", 'what would be decided, and why']],
  'policy reload': [['policy reload', 'lets a changed file count, after you have seen it']],
  'policy test': [['policy test LOG --policy new.yaml', 'what it would have said to what was done']],
  approvals: [['approvals --desktop work', 'of a private desktop']],
  grants: [['grants', 'with the id of each']],
  'grants revoke': [['grants revoke 1f3a9c02', 'the id as grants tells it']],
  enable: [['enable', 'commands may look at your screen; acts are asked about']],
  disable: [['disable', 'nobody may, until you enable it again']],
  stop: [['stop --desktop work', 'at once, whatever is under way']],
  resume: [['resume --desktop work', 'in a terminal, by a person']],
  'audit path': [['audit path --desktop work', 'of a private desktop']],
  'audit show': [['audit show --desktop work', 'of a private desktop']],
  'audit tail': [['audit tail', 'while agents are at work']],
  'audit verify': [['audit verify --desktop work', 'exit code 0 when it is what was written']],
  'audit keys': [['audit keys', 'write the first one down elsewhere']],
  'audit rotate': [['audit rotate', 'what is written until now is closed for good']],
  'audit new': [["audit new --reason 'disk was restored'", 'in a terminal, by a person']],
  replay: [['replay LOG --dry-run', 'only tell what would be done']],
  export: [['export --to html -o trace.html', 'a page to read']],
  mcp: [
    ['mcp --desktop virtual', 'on a new private desktop that ends with the client'],
    ['mcp --http --port 4100', 'for several clients, with a token'],
  ],
  schema: [['schema click', 'as programs use it']],
  completion: [['completion bash', 'for the shell to read, as above']],
};

/** Puts them below the help of each command. */
export function showExamples(command: Command, path: readonly string[] = []): void {
  const examples = EXAMPLES[path.join(' ')] ?? [];
  const width = Math.max(0, ...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  deskproof ${line.padEnd(width)}   ${what}`);
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const inner of command.commands) showExamples(inner, [...path, inner.name()]);
}
