import { relative } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { outputName, REPORT_FOLDER } from '../scripts/test/reporter.mjs';
import { evidence, forgetEvidence } from './evidence.js';

// For each desktop test file: a failed test prints its seeds and diaries. npm test also keeps the whole diaries.

beforeEach(({ onTestFailed }) => {
  onTestFailed(async ({ task }) => {
    const stem = outputName(relative(process.cwd(), task.file.filepath)).replace(/\.txt$/, '');
    const text = await evidence(process.env[REPORT_FOLDER], stem);
    if (text) console.log(`evidence of the failed test "${task.name}": ${text}`);
  });
});
afterAll(forgetEvidence);
