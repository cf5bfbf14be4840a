import type { Node, Role } from '../../../tree/index.js';

const TEXT_FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox']);
const BUTTONS: ReadonlySet<Role> = new Set(['button', 'togglebutton', 'menubutton']);

/** Takes boxes away that toolkits put around or into what a person sees, and nobody sees. */
export function unwrap(node: Node): void {
  if (node.role === 'tablist') withoutHiddenTabs(node);
  if (TEXT_FIELDS.has(node.role)) node.children = node.children.filter((child) => !isHollow(child));
  if (node.role === 'combobox') node.children = withoutArrow(node.children);
  node.children = node.children.map((child) => (child.role === 'toolbar' ? soleTool(child) : child));
  if (isBox(node) && toolsIn(node).some((tool) => TEXT_FIELDS.has(tool.role) && tool.name === node.name))
    delete node.name;
  if (isBox(node) && node.states.focused && node.children.some(hasFocus)) delete node.states.focused;
}

/** A notebook whose tab strip is hidden still has a tab, without a name and a place, around each page. */
function withoutHiddenTabs(tabs: Node): void {
  tabs.children = tabs.children.flatMap((tab) =>
    tab.role === 'tab' && tab.name === undefined && !tab.bounds ? tab.children : [tab],
  );
  if (tabs.children.length > 0 && !tabs.children.some((child) => child.role === 'tab')) tabs.role = 'group';
}

/** Qt's text areas have a viewport in them that has the focus as well. */
function isHollow({ role, name, children }: Node): boolean {
  return role === 'group' && name === undefined && children.every(isHollow);
}

/** The part of a GTK 4 combo box that opens it: a click on the box does the same. */
function withoutArrow(parts: Node[]): Node[] {
  return parts.flatMap((part) => {
    if (part.name !== undefined) return [part];
    if (isBox(part)) return withoutArrow(part.children);
    return BUTTONS.has(part.role) && part.children.every(isHollow) ? [] : [part];
  });
}

/** LibreOffice's side bar gives each button a tool bar of the same name. */
function soleTool(bar: Node): Node {
  const tools = toolsIn(bar);
  const [tool] = tools;
  if (tools.length !== 1 || !tool || !BUTTONS.has(tool.role) || bar.name === undefined) return bar;
  if (tool.name !== undefined && tool.name !== bar.name) return bar;
  return { ...tool, name: bar.name };
}

function toolsIn(node: Node): Node[] {
  return node.children.flatMap((child) => (isBox(child) && child.name === undefined ? toolsIn(child) : [child]));
}

function isBox({ role }: Node): boolean {
  return role === 'group' || role === 'scrollpane';
}

/** The box around the focused element says that it is focused too; one is enough. */
function hasFocus(node: Node): boolean {
  return node.states.focused === true || node.children.some(hasFocus);
}
