export { changeWindow, type ChangedWindow } from './change-window.js';
