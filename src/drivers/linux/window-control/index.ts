export { changeWindow } from './change-window.js';
