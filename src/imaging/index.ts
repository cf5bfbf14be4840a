export { encodeImage, IMAGE_FORMATS } from './image.js';
export type { ImageFormat } from './image.js';
export { encodePng } from './png.js';
export type { Pixels } from './png.js';
export { scaleImage } from './image.js';
export { comparePixels, coversBox, unstableBoxes } from './difference.js';
