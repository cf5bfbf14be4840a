import { readLog, verifyDesktop, type LedgerPlaces } from '../../audit/index.js';
import type { PolicyFile } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';
import type { Transcript } from './demo-transcript.js';
import { NOTE, otherwise, type Ask } from './demo-work.js';
import { spokenCall } from './spoken-call.js';

/** As on a person's own screen; what the demo does in its two apps was allowed beforehand, but nothing of high risk. */
export const DEMO_POLICY: PolicyFile = {
  version: 1,
  profile: { virtual: 'guarded' },
  enabled: true,
  rules: [
    {
      name: 'two-apps',
      when: { app: ['*/gnome-calculator', '*/mousepad'], class: 'act' },
      decision: 'allow',
    },
    { name: 'a-picture', when: { class: 'capture' }, decision: 'allow' },
  ],
};

const DELETE = { target: 'app=mousepad >> menuitem:"Delete Line"' };

/** Something that a person has to allow, and nobody is asked; what came of it is read from the editor. */
export async function beRefused(ask: Ask, show: Transcript): Promise<void> {
  const refusal = await refusalOf(ask('ui_click', DELETE));
  const { json } = await ask('ui_read', { target: 'app=mousepad >> role=textbox' });
  if (json.text !== NOTE) throw otherwise('The note is not what was typed, though the click was refused.');
  const call = spokenCall('ui_click', DELETE);
  const [answer = ''] = failureText(refusal).split('\n');
  show.step('refuse', 'Mousepad: delete a line    guarded policy, nobody to ask: refused', {
    ...{ program: 'mousepad', policy: 'guarded', code: refusal.code, call, answer },
  });
  show.callInFull(call, answer);
  show.proof('the editor still shows all of the note');
}

async function refusalOf(act: Promise<unknown>): Promise<DesktopError> {
  try {
    await act;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'approval_required') return error;
    throw error;
  }
  throw otherwise('The click that nobody had allowed was done.');
}

/** What was written down of all this, checked. */
export function tellLog(show: Transcript, places: LedgerPlaces): void {
  const { ok, verdict, records } = verifyDesktop(places);
  if (!ok) throw otherwise(`The log of the demo does not verify: ${verdict}.`);
  const written = [...readLog(places.logs)].flatMap(({ record }) => record ?? []);
  const acts = written.filter(({ kind }) => kind === 'intent').length;
  const refused = written.filter((record) => record.kind === 'call' && record.status === 'refused').length;
  show.step('log', `${records} records: ${acts} acts, ${refused} refused    chain and signature verify`, {
    ...{ records, acts, refused, verdict },
  });
  show.call('audit verify', [verdict]);
}
