// Owns a seat until something ends it: node seat-owner.mjs RUNTIME_DIR HOME_DIR
// Prints one line of JSON when the seat stands, with two apps in it: one of them a daemon that forked twice.
import { bootPrivateDesktop } from '../../../dist/drivers/linux/private-desktop/boot.js';

const [runtimeDir, homeDir] = process.argv.slice(2);
const size = { width: 800, height: 600 };
try {
  const seat = await bootPrivateDesktop({ name: 'owned', size, monitors: 1, visible: false, runtimeDir, homeDir });
  await seat.launch('xclock', []);
  const daemon = await seat.launch('sh', ['-c', 'setsid sh -c "sleep 1000 & sleep 1001 &" & exit 0']);
  await daemon.exited;
  console.log(JSON.stringify({ id: seat.env.DESKPROOF_SEAT, display: seat.display }));
  setInterval(() => undefined, 1000);
} catch (error) {
  console.log(JSON.stringify({ error: error.message, hint: error.hint }));
  process.exit(1);
}
