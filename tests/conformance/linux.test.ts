import { bootSeat, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { openLinuxStage } from './linux-stage.js';
import { conformance } from './suite.js';

const linux = { bootSeat, openLinuxDriver };

conformance('linux, GTK3', () => openLinuxStage(linux, 'gtk3.py'));
conformance('linux, GTK4', () => openLinuxStage(linux, 'gtk4.py'));
conformance('linux, Qt', () => openLinuxStage(linux, 'qt.py'));
