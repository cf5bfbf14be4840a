// The same desktop four times: with the policy and log that a host has, with one of them, and with neither.
import { constants } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryLedger } from '../dist/audit/index.js';
import { openGovernance } from '../dist/host/governance/load-governance.js';
import { Desktop } from '../dist/runtime/index.js';

/** As people write them: some rules of their own, words, blocked windows. None is about what is clicked here. */
const POLICY = `version: 1
windows: { block: ["*KeePass*", "*1Password*"] }
limits: { capturesPerMinute: 60, actsPerMinute: 100000, launchesPerMinute: 10 }
risk:
  words: [überweisen, löschen]
  keys: [ctrl+enter]
  apps: { finance: ["*/gnucash"] }
launch: { allow: ["/usr/bin/gnome-calculator", "/usr/bin/mousepad"] }
masks: [email, ssn, card, { name: ticket, pattern: "TKT-[0-9]{6}" }]
rules:
  - name: never-send
    when: { app: "*/thunderbird", name: ["Send*", "*Senden*"], class: act }
    decision: deny
    reason: mail is sent by people
  - name: calculator-free
    when: { app: "/usr/bin/gnome-calculator", class: act }
    decision: allow
  - name: delete-in-files
    when: { app: "*/nautilus", risk: [high], tool: [ui_click, ui_act] }
    decision: ask
    grant: once
  - name: no-doubtful-targets
    when: { class: act, confidence: "<0.5" }
    decision: deny
`;

const EVERYTHING = { decide: () => ({ answer: 'allow', rule: 'all' }) };
/** About what an intent has. */
const LINE = Buffer.from(`${'x'.repeat(699)}\n`);

/** One driver for all: four that listen to the same app would be four times the work that an act is. */
export async function openGoverned(folder, driver) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const policyFile = join(folder, 'policy.yaml');
  await writeFile(policyFile, POLICY, { mode: 0o600 });
  const size = { width: 1280, height: 900 };
  const about = {
    base: folder,
    key: 'bench',
    desktop: { kind: 'virtual', name: 'bench', size, visible: false },
    endWithParent: true,
  };
  const governance = await openGovernance({ ...about, policyFile, startDirectory: folder }, folder);
  const { policy, ledger, policyChanged, secrecy } = governance;
  const rules = { policy, policyChanged, secrecy };
  const make = (parts) => new Desktop({ name: 'bench', kind: 'virtual', driver, ...parts });
  const sides = {
    both: make({ ...rules, ledger }),
    policy: make({ ...rules, ledger: new MemoryLedger() }),
    log: make({ policy: EVERYTHING, ledger }),
    neither: make({ policy: EVERYTHING, ledger: new MemoryLedger() }),
  };
  return {
    sides,
    close: async () => {
      for (const desktop of Object.values(sides)) await desktop.close();
      await governance.close();
    },
  };
}

/** What the disk takes for itself, in the same folder. */
export async function plainAppend(folder) {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = await open(join(folder, 'plain'), O_WRONLY | O_CREAT | O_APPEND, 0o600);
  const append = async () => {
    await file.write(LINE);
    await file.datasync();
  };
  return { append, close: () => file.close() };
}
