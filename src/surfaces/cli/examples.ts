import type { Command } from 'commander';

/** A command line and its description. */
type Example = readonly [line: string, what: string];

/** Examples for the help of each command. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  demo: [['demo --visible', 'in a window on your display']],
  init: [
    ['init', 'show the change for each installed client, and ask'],
    ['init --print --desktop virtual', 'only print the lines, for a private desktop'],
  ],
  doctor: [['doctor --desktop work', 'for a private desktop']],
  'list-windows': [['list-windows --filter mousepad', 'windows of one app']],
  snapshot: [
    ['snapshot Calculator', 'one window'],
    ["snapshot '*' --interactive", 'all windows, interactive elements only'],
    ['snapshot --since s7', 'changes since that snapshot'],
  ],
  query: [["query 'button:Save' --window w3", 'matches with confidence and reasons']],
  describe: [
    ['describe e12', 'everything about one element'],
    ['describe --at 400,300', 'the element at a point'],
  ],
  read: [
    ['read e40 25-60', 'rows of a table, including off-screen rows'],
    ["read 'textbox:Document'", 'the whole text'],
  ],
  capture: [
    ['capture Calculator -o calc.png', 'one window'],
    ['capture --region 0,0,400,300 -o corner.png', 'part of the screen'],
  ],
  events: [['events --follow', 'print events until Ctrl-C']],
  wait: [
    ["wait 'button:Save && enabled=true'", 'until the button is enabled'],
    ['wait \'{"windowClosed":"Save As"}\' --timeout-ms 30000', 'until the window is closed'],
  ],
  assert: [['assert \'{"value":["#total",100]}\'', 'exit code 1 if the condition does not hold']],
  click: [
    ["click 'button:Save' --window w3", 'by role and name'],
    ['click e22 --verify \'{"window":"Save As"}\'', 'and check that the dialog opened'],
    ['click \'row:"Ada"\' --button right', 'with the right mouse button'],
  ],
  type: [
    ["type 'héllo' 'textbox:Name' --enter", 'type at the caret, then press Enter'],
    ["type --secret vpn 'textbox:Password'", 'type a secret of your policy'],
  ],
  key: [['key ctrl+s --window w3', 'press keys in a window']],
  'set-value': [
    ["set-value 'spinbutton:Age' 36", 'set the value and read it back'],
    ["set-value cell:B4 '=A1*2'", 'a spreadsheet cell'],
  ],
  act: [['act check \'checkbox:"I accept"\'', 'check the box unless it is checked']],
  scroll: [["scroll 'table:Orders' --until 'row:\"1100\"'", 'until the row is on the screen']],
  drag: [["drag 'listitem:notes.txt' 'listitem:Documents'", 'drop one item onto another']],
  'click-xy': [['click-xy 400 300', 'a screen point, if no selector works']],
  clipboard: [
    ['clipboard', 'show the text'],
    ["clipboard 'some text'", 'replace the text'],
  ],
  window: [
    ['window maximize Calculator', 'by title'],
    ['window move w2 --x 0 --y 0', 'by ref'],
  ],
  launch: [['launch mousepad notes.txt', 'start an app and wait for its window']],
  batch: [
    ['batch steps.json --snapshot', 'run calls from a file, then take a snapshot'],
    ['batch -', 'run calls from standard input'],
  ],
  capabilities: [['capabilities --desktop work', 'what works there and what the policy allows']],
  'selector explain': [["selector explain 'dialog:Open >> button:Cancel'", 'how it is parsed and what it matches']],
  'selector suggest': [['selector suggest e22', 'a selector that is likely to stay valid']],
  'desktop start': [['desktop start --name work --size 1600x1000', 'runs until you stop it']],
  'desktop run': [['desktop run -- npm test', 'in a new desktop that ends with the command']],
  'desktop launch': [['desktop launch --name work -- mousepad notes.txt', 'start an app and wait for its window']],
  'desktop list': [['desktop list --json', 'for programs']],
  'desktop env': [['desktop env work', 'for eval "$(…)", to use it in this shell']],
  'desktop view': [['desktop view work -o work.png', 'save a screenshot']],
  'desktop stop': [['desktop stop --all', 'stop all private desktops']],
  'policy init': [['policy init', 'write a policy to start from']],
  'policy check': [['policy check', 'report errors with their lines']],
  'policy explain': [["policy explain click 'button:Delete' --window Files", 'the decision and its reasons']],
  'policy reload': [['policy reload', 'apply a changed file after you have confirmed it']],
  'policy test': [['policy test LOG --policy new.yaml', 'decisions of a new policy about logged calls']],
  approvals: [['approvals --desktop work', 'for a private desktop']],
  grants: [['grants', 'list grants with their ids']],
  'grants revoke': [['grants revoke 1f3a9c02', 'the id comes from deskproof grants']],
  enable: [['enable', 'commands may read your screen; acts need approval']],
  disable: [['disable', 'block commands until you enable them again']],
  stop: [
    ['stop --desktop work', 'stop the agents on this desktop at once'],
    ['stop --all', 'stop the agents on every desktop'],
  ],
  resume: [['resume --desktop work', 'only in a terminal']],
  'audit path': [['audit path --desktop work', 'for a private desktop']],
  'audit show': [['audit show --desktop work', 'for a private desktop']],
  'audit tail': [['audit tail', 'follow the log while agents work']],
  'audit verify': [['audit verify --desktop work', 'exit code 0 if the log is unchanged']],
  'audit keys': [['audit keys', 'keep a copy of the first fingerprint elsewhere']],
  'audit rotate': [['audit rotate', 'close the current log file']],
  'audit new': [["audit new --reason 'disk was restored'", 'only in a terminal']],
  replay: [['replay LOG --dry-run', 'only print what would be done']],
  export: [['export --to html -o trace.html', 'an HTML page']],
  mcp: [
    ['mcp --desktop virtual', 'use a new private desktop that ends with the client'],
    ['mcp --http --port 4100', 'serve several clients, with a token'],
  ],
  schema: [['schema click', 'schema of ui_click']],
  completion: [['completion bash', 'print the bash script']],
};

/** Adds the examples to the help of each command. */
export function showExamples(command: Command, path: readonly string[] = []): void {
  const examples = EXAMPLES[path.join(' ')] ?? [];
  const width = Math.max(0, ...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  deskproof ${line.padEnd(width)}   ${what}`);
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const inner of command.commands) showExamples(inner, [...path, inner.name()]);
}
