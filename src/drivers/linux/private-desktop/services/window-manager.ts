import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Deadline, DesktopError } from '../../../../shared/index.js';
import type { Size } from '../../../../tree/index.js';
import { words16, words32, type XLink } from '../x-requests.js';
import { type CoreProcess, startCore } from './process.js';

export interface WindowManagerRequest {
  runtimeDir: string;
  env: Record<string, string>;
}

export async function startWindowManager(request: WindowManagerRequest): Promise<CoreProcess> {
  const config = join(request.runtimeDir, 'openbox.xml');
  writeFileSync(config, OPENBOX, { mode: 0o600 });
  return startCore('openbox', ['--sm-disable', '--config-file', config], { env: request.env, report: false });
}

/** Until it has put its name on the root window: from then on windows get frames and focus. */
export async function untilManaged(link: XLink, manager: CoreProcess, deadline: Deadline): Promise<void> {
  const property = await link.atom('_NET_SUPPORTING_WM_CHECK');
  const isSet = async (): Promise<boolean> => {
    const reply = await link.ask(20, 0, words32(link.root, property, 0, 0, 1)); // GetProperty, any type
    return reply.readUInt32LE(16) > 0;
  };
  const failed = manager.ended.then(async (): Promise<never> => {
    await manager.end(); // Until its last words are in.
    throw new DesktopError('driver_unavailable', 'The window manager (openbox) did not start.', {
      hint: manager.lastWords() ? `It said: ${manager.lastWords()}` : undefined,
    });
  });
  await Promise.race([link.untilRootProperty(isSet, deadline, 'Starting the window manager'), failed]);
  failed.catch(() => undefined); // Later ends are watched by the seat.
}

/**
 * One desktop, no animation, no menus and no keys of its own but Alt+F4: nothing that takes keyboard or pointer away
 * from the apps, and a new window always gets the focus. Letters that no key has are put on spare keys while they are
 * typed, and binding its one key anew each time kept it busy for seconds in which no window came up.
 */
const OPENBOX = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <resistance><strength>0</strength><screen_edge_strength>0</screen_edge_strength></resistance>
  <focus>
    <focusNew>yes</focusNew>
    <followMouse>no</followMouse>
    <focusLast>yes</focusLast>
    <underMouse>no</underMouse>
    <focusDelay>0</focusDelay>
    <raiseOnFocus>no</raiseOnFocus>
  </focus>
  <placement><policy>Smart</policy><center>yes</center><monitor>Primary</monitor><primaryMonitor>1</primaryMonitor></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>NLIMC</titleLayout>
    <keepBorder>yes</keepBorder>
    <animateIconify>no</animateIconify>
  </theme>
  <desktops><number>1</number><firstdesk>1</firstdesk><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard>
    <rebindOnMappingNotify>no</rebindOnMappingNotify>
    <chainQuitKey>C-A-S-F35</chainQuitKey>
    <keybind key="A-F4"><action name="Close"/></keybind>
  </keyboard>
  <mouse>
    <dragThreshold>1</dragThreshold>
    <doubleClickTime>400</doubleClickTime>
    <screenEdgeWarpTime>0</screenEdgeWarpTime>
    <context name="Titlebar">
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Titlebar Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Top"><mousebind button="Left" action="Drag"><action name="Resize"><edge>top</edge></action></mousebind></context>
    <context name="Left"><mousebind button="Left" action="Drag"><action name="Resize"><edge>left</edge></action></mousebind></context>
    <context name="Right"><mousebind button="Left" action="Drag"><action name="Resize"><edge>right</edge></action></mousebind></context>
    <context name="Bottom"><mousebind button="Left" action="Drag"><action name="Resize"><edge>bottom</edge></action></mousebind></context>
    <context name="TLCorner TRCorner BRCorner BLCorner">
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Middle" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
    <context name="Maximize"><mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind></context>
    <context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
  </mouse>
  <menu><hideDelay>0</hideDelay><showIcons>no</showIcons></menu>
  <applications>
    <application class="*" type="normal"><focus>yes</focus></application>
    <application class="*" type="dialog"><focus>yes</focus></application>
  </applications>
</openbox_config>
`;

const SET_MONITOR = 43;
const GET_SCREEN_RESOURCES = 25;
const QUERY_VERSION = 0;
/** Millimetres of a pixel at 96 dpi. */
const MM = 25.4 / 96;

/**
 * Splits the one X screen into monitors side by side. The first takes the screen's only output, else the server keeps
 * listing the whole screen as a monitor too.
 */
export async function splitIntoMonitors(link: XLink, size: Size, count: number): Promise<void> {
  const name = 'RANDR';
  const extension = await link.ask(98, 0, Buffer.concat([words16(name.length, 0), Buffer.from(name)]));
  const opcode = extension[9] ?? 0;
  if (extension[8] !== 1) {
    throw new DesktopError('driver_unavailable', 'This X server has no RandR, so it cannot show two monitors.');
  }
  await link.ask(opcode, QUERY_VERSION, words32(1, 5));
  const resources = await link.ask(opcode, GET_SCREEN_RESOURCES, words32(link.root));
  const crtcs = resources.readUInt16LE(16);
  const outputs = resources.readUInt16LE(18);
  const output = outputs > 0 ? [resources.readUInt32LE(32 + 4 * crtcs)] : [];
  for (let index = 0; index < count; index++) {
    const atom = await link.atom(`monitor-${index + 1}`);
    const own = index === 0 ? output : [];
    link.send(
      opcode,
      SET_MONITOR,
      Buffer.concat([
        words32(link.root, atom),
        Buffer.from([index === 0 ? 1 : 0, 0]),
        words16(own.length, index * size.width, 0, size.width, size.height),
        words32(Math.round(size.width * MM), Math.round(size.height * MM), ...own),
      ]),
    );
  }
  await link.sync();
}
