/** How a tool is typed: what goes by position, which flags have one letter. All the rest comes from its schema. */
export interface Shape {
  group: 'Look' | 'Act' | 'Check' | 'Serve';
  positionals?: readonly string[];
  letters?: Readonly<Record<string, string>>;
  /** In the overview, when it is not what the schema says. */
  usage?: string;
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
  ui_events: { group: 'Look', usage: 'events [--follow]' },
  ui_wait: { group: 'Check', positionals: ['until'], usage: 'wait CONDITION' },
  ui_assert: { group: 'Check', positionals: ['condition'], usage: 'assert CONDITION' },
  ui_capabilities: { group: 'Serve' },
};

export function commandName(tool: string): string {
  return tool.replace(/^ui_/, '').replaceAll('_', '-');
}
