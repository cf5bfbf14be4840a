import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { openLinuxStage } from './linux-stage.js';
import { conformance } from './suite.js';

conformance('linux, Qt', () => openLinuxStage({ openLinuxDriver, bootPrivateDesktop }, 'qt.py'));
