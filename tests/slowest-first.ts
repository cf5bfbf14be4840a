import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The longest of the desktop tests. A short file may take long: its cases stand elsewhere. Begun first they do not run
 * on alone at the end, while the other workers have nothing left.
 */
export const LONGEST = [
  'conformance/tools/gtk4',
  'e2e/liars-effects',
  'conformance/tools/chromium',
  'conformance/tools/qt',
  'conformance/tools/gtk3',
  'e2e/liars-menus',
  'e2e/liars-elements',
  'e2e/work-sheet',
  'e2e/cli-desktop',
  'conformance/linux-gtk4',
  'e2e/replay',
  'e2e/mcp-suite',
  'e2e/secrets-typed',
  'e2e/hung',
  'e2e/warm-gtk3',
  'conformance/linux-gtk3',
  'e2e/act-toolkits',
  'e2e/audit-cli',
  'e2e/mcp-elicit',
  'e2e/chromium',
  'e2e/liars-random',
  'e2e/app-libreoffice',
  'conformance/linux-qt',
];

/** Where nothing is known from a run before, as in a fresh clone, vitest goes by the size of the files. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    // Stable: the others stay as they were. The projects stay apart, since only desktop tests are in the list.
    const isDesktop = ({ project }: TestSpecification): boolean => project.name === 'desktop';
    const desktop = sorted.filter(isDesktop).sort((a, b) => place(a) - place(b));
    return [...sorted.filter((file) => !isDesktop(file)), ...desktop];
  }
}
