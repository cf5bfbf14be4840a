import { CallView } from '../visibility/call-view.js';
import { describe, expect, it } from 'vitest';
import { officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from './desktop.js';
import { takeSnapshot } from '../observe/snapshot.js';

async function until(holds: () => boolean): Promise<void> {
  const deadline = Deadline.in(5_000);
  while (!holds()) {
    deadline.throwIfOver('The condition');
    await new Promise(setImmediate);
  }
}

async function open() {
  const fake = fakeDesktop(officeSpec());
  const desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
  const heard: string[] = [];
  desktop.events.listen(({ what, window, element }) => {
    heard.push([what, window?.ref, window?.title, element?.ref, element?.name].filter(Boolean).join(' '));
  });
  await takeSnapshot(CallView.forUser(desktop), {}, { deadline: Deadline.in(5_000) });
  return { ...fake, desktop, heard };
}

describe('events of a desktop', () => {
  it('include windows that open and close before they are listed', async () => {
    const { controls, desktop, heard } = await open();
    controls.openWindow(saveAs);
    controls.setTitle('save as', 'Save it as');
    controls.closeWindow('save as');
    await until(() => heard.some((line) => line.startsWith('closed')));
    expect(heard).toEqual([
      'opened w4 Save As',
      'active w4 Save As',
      'title w4 Save it as',
      'closed w4 Save it as',
      'active w1 *Untitled 1 - Mousepad',
    ]);
    expect(desktop.refs.get('w4')?.goneSince).toBeDefined();
    await desktop.close();
  });

  it('include the end of a window that is no longer listed', async () => {
    const { controls, desktop, heard } = await open();
    controls.openWindow(saveAs);
    await until(() => heard.some((line) => line.startsWith('active w4')));
    // The list comes first, the event after it.
    const { windows } = await desktop.listWindows(Deadline.in(5_000));
    const listing = desktop.driver.windows.bind(desktop.driver);
    const id = windows.find((window) => window.ref === 'w4')!.id;
    desktop.driver.windows = async (options) => {
      const answer = await listing(options);
      return { ...answer, windows: answer.windows.filter((window) => window.id !== id) };
    };
    await desktop.listWindows(Deadline.in(5_000));
    controls.closeWindow('save as');
    await until(() => heard.some((line) => line.startsWith('active w1')));
    expect(heard).toContain('closed w4 Save As');
    await desktop.close();
  });

  it('name elements of a snapshot by ref', async () => {
    const { controls, desktop, heard } = await open();
    const zoom = desktop.snapshots.elementById(controls.elementId('Zoom'))!;
    controls.focus('Zoom');
    controls.setValue('Zoom', 110);
    await until(() => heard.length === 2);
    expect(heard[0]).toBe(`focus w1 *Untitled 1 - Mousepad ${zoom.ref} Zoom`);
    expect(heard[1]).toBe(`changed w1 *Untitled 1 - Mousepad ${zoom.ref} Zoom`);
    await desktop.close();
  });

  it('continue after the driver lost its event source', async () => {
    const { controls, desktop, heard } = await open();
    controls.loseEvents('overflow');
    await until(() => heard.length === 1);
    expect(heard).toEqual(['lost']);
    await desktop.close();
  });

  it('end once, however often close is called', async () => {
    const { desktop } = await open();
    await Promise.all([desktop.close(), desktop.close()]);
    await expect(desktop.listWindows(Deadline.in(1_000))).rejects.toMatchObject({ code: 'driver_unavailable' });
  });
});

describe('a stop', () => {
  const kinds = ({ ledger }: Desktop['authorizer']) => (ledger as MemoryLedger).records.map(({ kind }) => kind);

  it('is logged, and so is its end', async () => {
    const { desktop } = await open();
    expect([await desktop.stop('a test'), await desktop.stop('again')]).toEqual([true, false]);
    expect([desktop.resume(), desktop.resume()]).toEqual([true, false]);
    expect(kinds(desktop.authorizer)).toEqual(['stop', 'resume']);
    await desktop.close();
  });

  it('holds and releases all keys even if it cannot be saved', async () => {
    const { driver } = fakeDesktop(officeSpec());
    let released = 0;
    driver.input!.release = async () => void (released += 1);
    const full = new Error('the disk is full');
    const save = () => {
      throw full;
    };
    const desktop = new Desktop({ name: 'full', driver, stops: { load: () => undefined, save } });
    await expect(desktop.stop('a test')).rejects.toBe(full);
    expect([released, desktop.emergencyStop.stopped?.reason, kinds(desktop.authorizer)]).toEqual([
      1,
      'a test',
      ['stop'],
    ]);
    await desktop.close();
  });

  it('logs when the user starts and stops using mouse or keyboard', async () => {
    const { desktop, controls } = await open();
    await desktop.user.startWatching(Deadline.in(5_000));
    controls.userInput('motion');
    await until(() => kinds(desktop.authorizer).includes('pause'));
    await until(() => kinds(desktop.authorizer).includes('resume'));
    await desktop.close();
  });
});
