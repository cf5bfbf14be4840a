import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openLinuxStage } from '../conformance/linux-stage.js';
import { conformance } from '../conformance/suite.js';

conformance('linux, Qt 6', () =>
  openLinuxStage({ openLinuxDriver, bootPrivateDesktop }, (env, args) =>
    FixtureApp.start('qt.py', env, [...args, '--qt6']),
  ),
);
