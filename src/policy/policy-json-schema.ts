import { z } from 'zod';
import { PolicyFile } from './policy-file.js';

/** For editors, from the same schema that reads the files. */
export function policyJsonSchema(): object {
  return { title: 'Deskproof policy', ...z.toJSONSchema(PolicyFile, { io: 'input', target: 'draft-7' }) };
}
