import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The desktop tests that take longer than 14 s, longest first, from a run of all of them. They start first: a long file
 * that starts last runs alone, while the other workers have nothing left. The size of a file says little about its time.
 */
export const LONGEST = [
  'e2e/liars-effects',
  'conformance/tools/gtk4',
  'conformance/tools/chromium',
  'conformance/tools/qt',
  'e2e/liars-elements',
  'conformance/tools/gtk3',
  'e2e/page-dialogs',
  'e2e/liars-menus',
  'e2e/replay',
  'e2e/cli-desktop',
  'conformance/linux-gtk4',
  'e2e/secrets-typed',
  'e2e/warm-chromium',
  'e2e/liars-random',
  'e2e/act-toolkits',
  'e2e/mcp-stdio',
  'e2e/warm-gtk3',
  'e2e/library-expect',
  'e2e/mcp-elicit',
  'e2e/seat-user-input',
  'e2e/act-windows',
  'e2e/projects',
  'conformance/linux-qt',
  'e2e/audit-order',
  'e2e/mcp-suite',
  'e2e/library-output',
  'e2e/work-preferences',
  'e2e/app-libreoffice',
  'e2e/work-sheet',
  'e2e/page-lists',
  'conformance/linux-gtk3',
  'e2e/cli-demo',
  'e2e/cli-user',
  'e2e/warm-toolkits',
];

/** Without data from an earlier run, as in a fresh clone, vitest orders the files by size. */
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
