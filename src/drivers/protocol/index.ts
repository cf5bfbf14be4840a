export { decode, decodeError, encode, encodeError } from './codec.js';
