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
  'picture',
  'act',
  'hands',
  'changeWindow',
  'clipboard',
  'humans',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

export type Ability = { can: 'yes' } | { can: 'no' | 'partly'; reason: string; fix?: string };

export interface DriverDescription extends DriverIdentity {
  abilities: Record<Capability, Ability>;
  /** A driver that no machine has run says so. */
  experimental?: boolean;
}
