export { normaliseLabel, sameLabel, wholeLabel } from './normalise-label.js';
