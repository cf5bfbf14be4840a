export { ActionConnections } from './connections.js';
export { performAction } from './perform-action.js';
export { readElementCaret } from './by-text.js';
