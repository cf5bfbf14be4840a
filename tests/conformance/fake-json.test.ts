import { openFakeStage } from './fake-stage.js';
import { jsonDriver } from './json-driver.js';
import { conformance } from './suite.js';

conformance('fake, as JSON', async () => {
  const stage = await openFakeStage();
  return { ...stage, driver: jsonDriver(stage.driver) };
});
