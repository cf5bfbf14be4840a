import type { Deadline } from '../../shared/index.js';
import type { Finding } from '../contract/index.js';
import type { Environment } from './session.js';

export async function examineSession(_env: Environment, _deadline: Deadline): Promise<Finding[]> {
  return [];
}
