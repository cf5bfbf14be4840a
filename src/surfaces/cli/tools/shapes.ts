/** How a tool is typed: what goes by position, which flags have one letter. All the rest comes from its schema. */
export interface Shape {
  group: 'Look' | 'Act' | 'Check' | 'Serve';
  positionals?: readonly string[];
  letters?: Readonly<Record<string, string>>;
  /** In the overview, when it is not what the schema says. */
  usage?: string;
  /** The last positional takes all the words that are left. */
  rest?: boolean;
  /** This field comes as JSON from a file, or `-` for standard input. */
  fromFile?: string;
  /** With this flag the first positional is not given: `type --secret pin textbox:PIN`. */
  instead?: string;
  /** A point as one flag: `--at X,Y` fills x and y. */
  at?: boolean;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  ui_list_windows: { group: 'Look' },
  ui_snapshot: {
    group: 'Look',
    positionals: ['window'],
    letters: { interactive: 'i', compact: 'c', depth: 'd', target: 's' },
  },
  ui_query: { group: 'Look', positionals: ['target'] },
  ui_describe: { group: 'Look', positionals: ['target'], at: true, usage: 'describe TARGET|--at X,Y' },
  ui_read: { group: 'Look', positionals: ['target', 'range'] },
  ui_capture: { group: 'Look', positionals: ['window'], usage: 'capture [WINDOW] -o FILE' },
  ui_events: { group: 'Look', usage: 'events [--follow]' },
  ui_wait: { group: 'Check', positionals: ['until'], usage: 'wait CONDITION' },
  ui_assert: { group: 'Check', positionals: ['condition'], usage: 'assert CONDITION' },
  ui_click: { group: 'Act', positionals: ['target'] },
  ui_type: { group: 'Act', positionals: ['text', 'target'], instead: 'secret', usage: 'type TEXT [TARGET]' },
  ui_key: { group: 'Act', positionals: ['keys'] },
  ui_set_value: { group: 'Act', positionals: ['target', 'value'], usage: 'set-value TARGET VALUE' },
  ui_act: { group: 'Act', positionals: ['action', 'target'] },
  ui_scroll: { group: 'Act', positionals: ['target'] },
  ui_drag: { group: 'Act', positionals: ['from', 'to'] },
  ui_click_xy: { group: 'Act', positionals: ['x', 'y'] },
  ui_clipboard: { group: 'Act', positionals: ['text'] },
  ui_window: { group: 'Act', positionals: ['action', 'window'] },
  ui_launch: { group: 'Act', positionals: ['command', 'args'], rest: true, usage: 'launch APP [ARGS…]' },
  ui_batch: { group: 'Act', positionals: ['steps'], fromFile: 'steps', usage: 'batch FILE|-' },
  ui_capabilities: { group: 'Serve' },
};

export function commandName(tool: string): string {
  return tool.replace(/^ui_/, '').replaceAll('_', '-');
}
