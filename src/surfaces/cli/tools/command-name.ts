// A leaf: commands that load on demand must not load the tools for it.

/** `ui_set_value` is `set-value` on the command line. */
export function commandName(tool: string): string {
  return tool.replace(/^ui_/, '').replaceAll('_', '-');
}

/** `maxTokens` is `--max-tokens`. */
export function flagName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
