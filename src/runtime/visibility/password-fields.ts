import { type Node, type Role, takesTypedText } from '../../tree/index.js';

/** What toolkits draw in place of characters. One asterisk is a text of its own, such as a search for everything. */
const BULLETS_ONLY = /^(?:[•●∙⚫⬤◦○∗＊]+|\*{3,})$/u;

/**
 * Every field that was a password field at any time. An app that shows a password ("Show password") turns it into an
 * ordinary field, or replaces it by one. Its text stays secret: it is reported as `secret: filled`, like before.
 */
export class PasswordFields {
  /** Driver id to window. */
  private readonly ids = new Map<string, string>();
  /** A window with the label or the path of a field in it, for fields that the app creates again. */
  private readonly places = new Set<string>();
  private readonly shown = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** The app shows its text now. */
  isRevealed(id: string): boolean {
    return this.shown.has(id);
  }

  /** Whether the app shows the text of one in this window. */
  anyRevealedIn(window: string): boolean {
    return [...this.shown].some((id) => this.ids.get(id) === window);
  }

  windowGone(window: string): void {
    for (const [id, its] of this.ids) {
      if (its !== window) continue;
      this.ids.delete(id);
      this.shown.delete(id);
    }
    for (const place of this.places) if (place.startsWith(`${window}\n`)) this.places.delete(place);
  }

  /** The tree without the texts of such fields. `root`: of the whole window; then unnamed fields are known by place. */
  conceal(root: Node, window: string, whole: boolean): Node {
    return this.visit(root, window, whole ? '' : undefined);
  }

  private visit(node: Node, window: string, path: string | undefined): Node {
    if (takesTypedText(node) || node.role === 'passwordbox') return this.field(node, window, path);
    let changed = false;
    const children = node.children.map((child, at) => {
      const kept = this.visit(child, window, path === undefined ? undefined : `${path}/${at}`);
      changed ||= kept !== child;
      return kept;
    });
    return changed ? { ...node, children } : node;
  }

  private field(node: Node, window: string, path: string | undefined): Node {
    const { id, role, name = '', value, states } = node;
    const place = placeOf(window, name, path);
    if (states.secret === true || role === 'passwordbox') {
      this.remember(id, window, place);
      this.shown.delete(id);
      return node;
    }
    const bullets = typeof value === 'string' && BULLETS_ONLY.test(value);
    if (!bullets && !this.ids.has(id) && (place === undefined || !this.places.has(place))) return node;
    this.remember(id, window, place);
    if (bullets) this.shown.delete(id);
    else this.shown.add(id);
    return withoutText(node);
  }

  private remember(id: string, window: string, place: string | undefined): void {
    this.ids.set(id, window);
    if (place !== undefined) this.places.add(place);
  }
}

function placeOf(window: string, name: string, path: string | undefined): string | undefined {
  if (window === '') return undefined;
  if (name !== '') return `${window}\n${name}`;
  return path === undefined ? undefined : `${window}\n\n${path}`;
}

const CONTROLS: ReadonlySet<Role> = new Set(['button', 'checkbox', 'menubutton', 'switch', 'togglebutton']);

/** What may be a part of the password. */
function textsIn(node: Node): string[] {
  if (CONTROLS.has(node.role)) return [];
  return [node.name ?? '', String(node.value ?? ''), ...node.children.flatMap(textsIn)];
}

/** Of its content only the controls stay (show the password, clear): without them an agent cannot hide it again. */
function withoutText({ value, cleaned: _, ...node }: Node): Node {
  const filled = value !== undefined && value !== '';
  const shown = [String(value ?? ''), ...node.children.flatMap(textsIn)].map((text) => text.trim()).filter(Boolean);
  const isHarmless = ({ name = '' }: Node): boolean => !shown.some((text) => name.includes(text));
  const controls = node.children.filter((one) => CONTROLS.has(one.role) && isHarmless(one));
  return {
    ...node,
    states: { ...node.states, secret: true, filled },
    children: controls.map(({ value: _value, description: _description, error: _error, ...control }) => {
      return { ...control, children: [] };
    }),
  };
}
