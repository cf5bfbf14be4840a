import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { openLinuxStage } from './linux-stage.js';
import { conformance } from './suite.js';

conformance('linux, GTK 3', () => openLinuxStage({ openLinuxDriver, bootPrivateDesktop }, 'gtk3.py'));
