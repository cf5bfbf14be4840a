import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Deadline, DesktopError } from '../../../../shared/index.js';
import type { Size } from '../../../../tree/index.js';
import { uint16s, uint32s, type BootXClient } from '../x-requests.js';
import { sessionRuntimeDir } from './bus.js';
import type { Isolation } from './isolation.js';
import { type ServiceProcess, startService } from './process.js';

interface WindowManagerRequest {
  runtimeDir: string;
  env: Record<string, string>;
  isolation?: Isolation | undefined;
}

export async function startWindowManager(request: WindowManagerRequest): Promise<ServiceProcess> {
  const config = join(sessionRuntimeDir(request.runtimeDir), 'openbox.xml');
  writeFileSync(config, OPENBOX_CONFIG, { mode: 0o600 });
  return startService('openbox', ['--sm-disable', '--config-file', config], { ...request, report: false });
}

/**
 * Waits until the window manager has set its property on the root window. From then on windows get frames and focus.
 */
export async function waitForWindowManager(
  client: BootXClient,
  manager: ServiceProcess,
  deadline: Deadline,
): Promise<void> {
  const property = await client.atom('_NET_SUPPORTING_WM_CHECK');
  const isSet = async (): Promise<boolean> => {
    const reply = await client.request(20, 0, uint32s(client.root, property, 0, 0, 1)); // GetProperty, any type
    return reply.readUInt32LE(16) > 0;
  };
  const failed = manager.ended.then(async (): Promise<never> => {
    await manager.end(); // Waits for the rest of its stderr output.
    throw new DesktopError('driver_unavailable', 'The window manager (openbox) did not start.', {
      hint: manager.stderrTail() ? `It reported: ${manager.stderrTail()}` : undefined,
    });
  });
  await Promise.race([client.waitForRootProperty(isSet, deadline, 'Starting the window manager'), failed]);
  failed.catch(() => undefined); // From now on PrivateDesktopSession watches for its end.
}

/**
 * One desktop, no animation, no menus, and no key binding except Alt+F4: nothing takes keyboard or pointer away from
 * the apps, and a new window always gets the focus. `rebindOnMappingNotify` is off: characters without a key are mapped
 * to spare keys while they are typed, and rebinding Alt+F4 each time kept openbox busy for seconds, in which no window
 * appeared.
 */
const OPENBOX_CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
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
/** Millimetres per pixel at 96 dpi. */
const MM_PER_PIXEL = 25.4 / 96;

/**
 * Splits the one X screen into monitors side by side. The first monitor takes the only output of the screen; else the
 * server also lists the whole screen as a monitor.
 */
export async function splitIntoMonitors(client: BootXClient, size: Size, count: number): Promise<void> {
  const name = 'RANDR';
  const extension = await client.request(98, 0, Buffer.concat([uint16s(name.length, 0), Buffer.from(name)]));
  const opcode = extension[9] ?? 0;
  if (extension[8] !== 1) {
    throw new DesktopError('driver_unavailable', 'This X server has no RandR, so it cannot show two monitors.');
  }
  await client.request(opcode, QUERY_VERSION, uint32s(1, 5));
  const resources = await client.request(opcode, GET_SCREEN_RESOURCES, uint32s(client.root));
  const crtcs = resources.readUInt16LE(16);
  const outputs = resources.readUInt16LE(18);
  const output = outputs > 0 ? [resources.readUInt32LE(32 + 4 * crtcs)] : [];
  for (let index = 0; index < count; index++) {
    const atom = await client.atom(`monitor-${index + 1}`);
    const own = index === 0 ? output : [];
    client.send(
      opcode,
      SET_MONITOR,
      Buffer.concat([
        uint32s(client.root, atom),
        Buffer.from([index === 0 ? 1 : 0, 0]),
        uint16s(own.length, index * size.width, 0, size.width, size.height),
        uint32s(Math.round(size.width * MM_PER_PIXEL), Math.round(size.height * MM_PER_PIXEL), ...own),
      ]),
    );
  }
  await client.sync();
}
