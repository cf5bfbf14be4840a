import type { DriverModule } from '../contract/index.js';
import { openLinuxDriver } from './connect.js';
import { examineSession } from './doctor.js';
import { bootPrivateDesktop } from './private-desktop/boot.js';
import { missingPackages } from './private-desktop/requirements.js';
import { sweepDeadDesktops } from './private-desktop/tear-down.js';
import { userSessionLauncher } from './private-desktop/launch/launch.js';

export const driver: DriverModule = {
  name: 'linux',
  platforms: ['linux'],
  kind: 'desktop',
  open: openLinuxDriver,
  examine: examineSession,
  privateDesktops: { boot: bootPrivateDesktop, sweep: sweepDeadDesktops, missing: missingPackages },
  sessionLauncher: userSessionLauncher,
};

export { openLinuxDriver } from './connect.js';
export { bootPrivateDesktop } from './private-desktop/boot.js';
