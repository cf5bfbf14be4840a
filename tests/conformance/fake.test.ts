import { openFakeStage } from './fake-stage.js';
import { conformance } from './suite.js';

conformance('fake', () => openFakeStage());
conformance('fake, recycling lists', () => openFakeStage({ recycle: true }));
