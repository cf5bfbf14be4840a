/** The role as texts call it: a password field is a text box, and `secret` says the rest. Programs get the role itself. */
export function roleInText(role: string): string {
  return role === 'passwordbox' ? 'textbox' : role;
}
