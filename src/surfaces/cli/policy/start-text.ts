/** A first policy: it changes nothing by itself. `#key` is an example that becomes true when the mark is taken away. */
export function startText(schemaFile: string): string {
  return `# yaml-language-server: $schema=${schemaFile}
# What agents may do on your desktops through Deskproof.
# Look whether it is right: deskproof policy check
# Desktops that run already go by it after: deskproof policy reload
version: 1

# Your own screen is guarded: agents look, you are asked before they act, and no pictures are taken.
# Private desktops are free. readonly: nothing is ever done there.
#profile: { seat: guarded, virtual: private }

# Without this, each session on your own screen begins with a question to you.
#enabled: true

# Windows that agents do not see, besides password managers and banking.
#windows:
#  block: ["*My Bank*", "*Payroll*"]

# For each desktop.
#limits: { actsPerMinute: 120, capturesPerMinute: 60, launchesPerMinute: 10 }

# Programs that may be started on your own screen after a plain question.
#launch:
#  allow: ["/usr/bin/mousepad"]

# The first rule that fits wins. An allow that does not name risk covers low and medium risk only, and one without
# app goes by what an app says of itself. What would be decided: deskproof policy explain click --app /usr/bin/mousepad
#rules:
#  - name: never-send
#    when: { app: "*/thunderbird", name: ["Send*"], class: act }
#    decision: deny
#    reason: mail is sent by people
#  - name: calculator-free
#    when: { app: "/usr/bin/gnome-calculator", class: act }
#    decision: allow
`;
}
