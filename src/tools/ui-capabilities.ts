import { z } from 'zod';
import { defineTool, type Capabilities } from '../runtime/index.js';

export const uiCapabilities = defineTool({
  name: 'ui_capabilities',
  class: 'read',
  blind: true,
  description: 'What works here, what is missing and the fix.',
  timeoutMs: 5_000,
  input: z.object({}),
  run: async ({ reader }): Promise<Capabilities> => reader.capabilities(),
  text({ desktop, driver, abilities, findings }) {
    const names = Object.entries(abilities);
    const works = names.filter(([, ability]) => ability.can === 'yes').map(([name]) => name);
    const lines = [
      `desktop ${desktop}: ${driver.name} ${driver.version}${driver.experimental ? ', experimental' : ''}`,
    ];
    lines.push(`works: ${works.join(', ') || 'nothing'}`);
    for (const [name, ability] of names) {
      if (ability.can === 'yes') continue;
      const fix = ability.fix ? `; fix: ${ability.fix}` : '';
      lines.push(`${ability.can === 'no' ? 'missing' : 'partly'}: ${name}, ${ability.reason}${fix}`);
    }
    for (const { level, what, fix } of findings) {
      if (level !== 'ok') lines.push(`${level}: ${what}${fix ? `; fix: ${fix}` : ''}`);
    }
    return lines.join('\n');
  },
});
