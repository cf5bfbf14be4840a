import type { PolicyFile } from '../../policy/index.js';

/** A policy as it stands in a file: docs/policy.md. */
export type Policy = PolicyFile;
