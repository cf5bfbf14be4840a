import { runTools } from './run-tools.js';

runTools('qt');
