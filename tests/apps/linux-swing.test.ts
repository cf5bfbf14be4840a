import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { openLinuxStage } from '../conformance/linux-stage.js';
import { conformance } from '../conformance/suite.js';
import { compileJava } from './support/java.js';

conformance('linux, Swing', async () => {
  const fixture = await compileJava('SwingScene');
  const stage = await openLinuxStage({ openLinuxDriver, bootPrivateDesktop }, (env, args) => fixture.start(env, args));
  return {
    ...stage,
    close: async () => {
      await stage.close();
      await fixture.remove();
    },
  };
});
