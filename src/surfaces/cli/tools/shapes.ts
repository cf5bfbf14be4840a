/**
 * The command-line form of a tool: positional arguments and one-letter flags. Everything else comes from its schema.
 */
export interface CommandShape {
  group: 'Look' | 'Act' | 'Check' | 'Serve';
  positionals?: readonly string[];
  shortFlags?: Readonly<Record<string, string>>;
  /** Usage in the overview, if it differs from the schema. */
  usage?: string;
  /** The last positional takes all remaining words. */
  takesRest?: boolean;
  /** This field is read as JSON from a file, or from standard input with `-`. */
  fromFile?: string;
  /** This flag replaces the first positional: `type --secret pin textbox:PIN`. */
  replacedBy?: string;
  /** `--at X,Y` sets x and y. */
  acceptsPoint?: boolean;
}

export const COMMAND_SHAPES: Readonly<Record<string, CommandShape>> = {
  ui_list_windows: { group: 'Look' },
  ui_snapshot: {
    group: 'Look',
    positionals: ['window'],
    shortFlags: { interactive: 'i', compact: 'c', depth: 'd', target: 's' },
  },
  ui_query: { group: 'Look', positionals: ['target'] },
  ui_describe: { group: 'Look', positionals: ['target'], acceptsPoint: true, usage: 'describe TARGET|--at X,Y' },
  ui_read: { group: 'Look', positionals: ['target', 'range'] },
  ui_capture: { group: 'Look', positionals: ['window'], usage: 'capture [WINDOW] -o FILE' },
  ui_events: { group: 'Look', usage: 'events [--follow]' },
  ui_wait: { group: 'Check', positionals: ['until'], usage: 'wait CONDITION' },
  ui_assert: { group: 'Check', positionals: ['condition'], usage: 'assert CONDITION' },
  ui_click: { group: 'Act', positionals: ['target'] },
  ui_type: { group: 'Act', positionals: ['text', 'target'], replacedBy: 'secret', usage: 'type TEXT [TARGET]' },
  ui_key: { group: 'Act', positionals: ['keys'] },
  ui_set_value: { group: 'Act', positionals: ['target', 'value'], usage: 'set-value TARGET VALUE' },
  ui_act: { group: 'Act', positionals: ['action', 'target'] },
  ui_scroll: { group: 'Act', positionals: ['target'] },
  ui_drag: { group: 'Act', positionals: ['from', 'to'] },
  ui_click_xy: { group: 'Act', positionals: ['x', 'y'] },
  ui_clipboard: { group: 'Act', positionals: ['text'] },
  ui_window: { group: 'Act', positionals: ['action', 'window'] },
  ui_launch: { group: 'Act', positionals: ['command', 'args'], takesRest: true, usage: 'launch APP [ARGS…]' },
  ui_batch: { group: 'Act', positionals: ['steps'], fromFile: 'steps', usage: 'batch FILE|-' },
  ui_capabilities: { group: 'Serve' },
};

export function commandName(tool: string): string {
  return tool.replace(/^ui_/, '').replaceAll('_', '-');
}
