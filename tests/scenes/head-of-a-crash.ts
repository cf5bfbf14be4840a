import { loadKey } from '../../src/audit/keys.js';
import { readHead, replaceHead } from '../../src/audit/write/ledger-state.js';
import { keyPath, type LedgerPlaces } from '../../src/audit/locations.js';
import { sign } from '../../src/audit/signed-head.js';

/** As if the writer had been killed after its last line: the head does not say that it ended. */
export function headOfACrash({ state }: LedgerPlaces, ledger: string): void {
  const head = readHead(state, ledger);
  if (typeof head !== 'object') throw new Error('there is no head');
  const { segment, seq, hash } = head;
  replaceHead(state, sign({ ledger, segment, seq, hash }, loadKey(keyPath(state, ledger, segment))!));
}
