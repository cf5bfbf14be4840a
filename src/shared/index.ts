export { BoundedMap } from './bounded-map.js';
export { canonicalJson } from './canonical-json.js';
export { cleanName, cleanText, cleanValue, cutText, TEXT_BOUNDS, WHOLE } from './clean-text.js';
export type { Cleaned } from './clean-text.js';
export { localiseHint, errorFor } from './messages.js';
export { debug } from './debug.js';
export { Deadline } from './deadline.js';
export { inherit } from './memoize.js';
export { didYouMean, editDistance } from './messages.js';
export { DesktopError, ERROR_CODES, exitCodeOf, hasTrait } from './errors.js';
export type {
  Delivered,
  ErrorCandidate,
  ErrorChanges,
  ErrorCode,
  ErrorJson,
  ErrorOptions,
  ErrorTrait,
  Retry,
} from './errors.js';
export { formatArgument } from './messages.js';
export { LinearRegex, patternFault } from './linear-regex.js';
export type { Span } from './linear-regex.js';
export { READING_MS } from './deadline.js';
export { memoize } from './memoize.js';
export { systemFault } from './messages.js';
export { LineSplitter } from './lines.js';
