import type { DriverIdentity } from '../../tree/index.js';

/** What a driver may or may not be able to do here. One list, so that `ui_capabilities` and `doctor` cannot differ. */
export const CAPABILITIES = [
  'windows',
  'read',
  'events',
  'atPoint',
  'focused',
  'text',
  'range',
  'screenshot',
  'act',
  'input',
  'changeWindow',
  'clipboard',
  'userInput',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

export type CapabilityState = { can: 'yes' } | { can: 'no' | 'partly'; reason: string; fix?: string };

export interface DriverDescription extends DriverIdentity {
  capabilities: Record<Capability, CapabilityState>;
  /** A driver that no machine has run says so. */
  experimental?: boolean;
}

/** An app as the system tells it. */
export interface FoundApp {
  pid: number;
  name: string;
  /** Real path. */
  program?: string;
}

/** One line of `doctor`. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail' | 'off';
  /** What was found, one sentence of ours; names of apps are cleaned. */
  what: string;
  /** The exact thing to type or do. */
  fix?: string;
  /** The app that `what` names. Policy may hide that it runs; the field itself is never part of an answer. */
  app?: FoundApp;
}
