import { expect } from 'vitest';
import { CAPABILITIES } from '../../../src/drivers/contract/index.js';
import { codeOf, soon, type Case } from '../case.js';

const REQUIRED = new Set<string>(['windows', 'events']);

export const HONESTY: Case[] = [
  {
    name: 'describe: a reported capability exists, a missing one has a reason',
    async run(stage) {
      const description = stage.driver.describe();
      expect(description.kind).toMatch(/^[a-z]+$/);
      expect(Object.keys(description.capabilities).sort()).toEqual([...CAPABILITIES].sort());
      for (const name of CAPABILITIES) {
        const capability = description.capabilities[name];
        if (REQUIRED.has(name)) continue;
        const exists = stage.driver[name as keyof typeof stage.driver] !== undefined;
        expect(exists, `${name} is ${capability.can}`).toBe(capability.can !== 'no');
        if (capability.can !== 'yes') expect(capability.reason.length, name).toBeGreaterThan(5);
      }
    },
  },
  {
    name: 'doctor: finds something, and a failure has a fix',
    async run(stage) {
      const findings = await stage.driver.doctor({ deadline: soon() });
      expect(findings.length).toBeGreaterThan(0);
      for (const finding of findings) if (finding.level === 'fail') expect(finding.fix, finding.what).toBeDefined();
    },
  },
  {
    name: 'close: twice is once, and afterwards nothing is read',
    async run(stage) {
      await stage.driver.close();
      await stage.driver.close();
      expect(await codeOf(stage.driver.windows({ deadline: soon() }))).toBe('driver_unavailable');
    },
  },
];
