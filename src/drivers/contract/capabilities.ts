import type { DriverIdentity } from '../../tree/index.js';

/**
 * What a driver may be able to do on a desktop: every optional member of `Driver`, and required members that may be
 * limited. One list, so that `ui_capabilities` and `doctor` cannot differ.
 */
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
  'caret',
  'pages',
  'keyBindings',
  'waitForTreeSync',
  'releaseScreenshot',
  'lost',
  'resume',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

export type CapabilityState = { can: 'yes' } | { can: 'no' | 'partly'; reason: string; fix?: string };

export interface DriverDescription extends DriverIdentity {
  capabilities: Record<Capability, CapabilityState>;
  /** The driver was never run on a real machine. */
  experimental?: boolean;
}

/** An app as the OS reports it. */
export interface FoundApp {
  pid: number;
  name: string;
  /** Real path. */
  program?: string;
}

/** One line of `doctor`. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail' | 'off';
  /** One sentence of our own; names of apps in it are cleaned. */
  what: string;
  /** The exact command to run, or what to do. */
  fix?: string;
  /** The app that `what` names. Policy may hide that it runs; the field itself is never part of an answer. */
  app?: FoundApp;
}
