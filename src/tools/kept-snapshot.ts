import { z } from 'zod';
import { defineTool } from '../runtime/index.js';
import type { Snapshot } from '../tree/index.js';

/** A look that was made before, as long as nothing in it has become hidden. It is a look for policy and log, too. */
export const keptSnapshot = defineTool({
  name: 'ui_snapshot',
  class: 'read',
  description: 'A look that was made before.',
  timeoutMs: 5_000,
  input: z.object({ id: z.string().max(20) }),
  run: async ({ reader }, { id }): Promise<{ snapshot: Snapshot }> => ({ snapshot: reader.snapshot(id) }),
  text: ({ snapshot }) => `snapshot ${snapshot.id}`,
  json: ({ snapshot }) => snapshot,
});
