// Shows a seat on the display of its environment: node visible-owner.mjs RUNTIME_DIR HOME_DIR
import { bootPrivateDesktop } from '../../../dist/drivers/linux/private-desktop/boot.js';

const [runtimeDir, homeDir] = process.argv.slice(2);
const size = { width: 640, height: 480 };
const seat = await bootPrivateDesktop({ name: 'shown', size, monitors: 1, visible: true, runtimeDir, homeDir });
console.log(JSON.stringify(seat.env));
setInterval(() => undefined, 1000);
