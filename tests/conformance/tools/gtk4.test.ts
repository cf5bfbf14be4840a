import { runTools } from './run-tools.js';

runTools('gtk4');
