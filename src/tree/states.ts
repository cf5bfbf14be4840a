/**
 * A state that an element cannot have is absent: `checked: false` is an unchecked box, no `checked` is a label.
 * Drivers fill what their platform says; nothing is guessed.
 */
export interface States {
  enabled: boolean;
  /** Shown by its app; hidden elements are read only when asked for. */
  visible: boolean;
  /** In the tree, but no part of it in the visible area (scrolled out, clipped away, under 2 px). */
  offscreen?: boolean;
  focusable?: boolean;
  focused?: boolean;
  /** Windows only: has the desktop's attention. */
  active?: boolean;
  modal?: boolean;
  editable?: boolean;
  readonly?: boolean;
  required?: boolean;
  invalid?: boolean;
  checked?: boolean | 'mixed';
  selected?: boolean;
  pressed?: boolean | 'mixed';
  expanded?: boolean;
  busy?: boolean;
  multiline?: boolean;
  /** A password field: its value never leaves the driver. `value` is then absent and `filled` says if there is one. */
  secret?: boolean;
  filled?: boolean;
}

export type StateName = keyof States;
