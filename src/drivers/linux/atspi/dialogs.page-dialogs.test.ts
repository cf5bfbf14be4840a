import { expect, test } from 'vitest';
import type { Node, Role } from '../../../tree/index.js';
import { markPageDialogsModal } from './dialogs.js';
import { toolkitFrom } from './toolkit.js';

const node = (id: string, role: Role, children: Node[] = []): Node => ({
  ...{ id, role, children },
  ...{ states: { enabled: true, visible: true }, patterns: [], platformIds: {} },
});

test.each<[string, string, Role, string[], true | undefined]>([
  ["a page's confirm dialog", 'Chromium', 'dialog', ['frame'], true],
  ["a page's alert", 'Chromium', 'alertdialog', ['frame'], true],
  ['a bubble, which is also a window', 'Chromium', 'dialog', ['frame', 'asks'], undefined],
  ['the find bar', 'Chromium', 'group', ['frame'], undefined],
  ['a dialog of a toolkit that reports modality', 'gtk', 'dialog', ['frame'], undefined],
])('%s', (_, toolkit, role, windows, modal) => {
  const page = node('panel', 'group', [node('infobar', 'alertdialog')]);
  const frame = node('frame', 'window', [page, node('asks', role)]);
  markPageDialogsModal(toolkitFrom(toolkit, 'app'), frame, new Set(windows));
  expect(frame.children.map(({ states }) => states.modal)).toEqual([undefined, modal]);
  expect(page.children[0]!.states.modal).toBeUndefined();
});
