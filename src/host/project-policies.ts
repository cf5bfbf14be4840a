import { existsSync, realpathSync } from 'node:fs';
import { changedFiles, policyDifference, policyPlaces, readProjectFile } from '../policy/index.js';
import type { ParsedPolicy, PolicyFile, ProjectFile } from '../policy/index.js';
import type { ProjectRules, Rules } from '../runtime/index.js';

interface Options {
  tools: readonly string[];
  /** Where the project's file is that counts for everybody: of the directory where the desktop was started. */
  own: string | undefined;
  /** The desktop's rules together with those of one more project. */
  together: (policy: PolicyFile, file: string) => Rules;
}

interface Known {
  read: ProjectFile;
  rules?: Rules;
}

/** What counts for callers from one directory, and the file that it comes from. */
export interface ProjectInForce extends ProjectRules {
  parsed?: ParsedPolicy;
}

/**
 * The policies of the projects that callers were started in. Each counts for the callers from its directory, besides the
 * one of the desktop; like that one it is read once, and a file that changed waits for a person.
 */
export class ProjectPolicies {
  /** By directory; of the desktop's own it was read with the other files. */
  private readonly known = new Map<string, Known | 'own'>();

  constructor(private readonly options: Options) {}

  /** Undefined where it adds nothing to the desktop's own rules. A file that cannot be used is an error, each time. */
  inForce(directory: string): ProjectInForce | undefined {
    const known = this.knownAt(directory);
    if (known === 'own') return undefined;
    const { parsed, identity } = known.read;
    const changed = (): string[] => changedFiles([identity]);
    if (!parsed && changed().length === 0) return undefined;
    return { rules: this.rulesOf(known), changed, ...(parsed && { parsed }) };
  }

  /** The files that are not what was read. */
  get changed(): string[] {
    return changedFiles(this.all.map(([, { read }]) => read.identity));
  }

  /** What they say otherwise by now, a line each. */
  get differences(): string[] {
    return this.all.flatMap(([directory, { read }]) => {
      if (changedFiles([read.identity]).length === 0) return [];
      const now = readProjectFile(placeIn(directory), this.options.tools);
      return policyDifference(filesOf(read), filesOf(now)).map((line) => `${line} (${now.file})`);
    });
  }

  /** They are read anew when they are needed next, and put together with what the desktop's own rules are by then. */
  forget(): void {
    this.known.clear();
  }

  private get all(): [directory: string, Known][] {
    return [...this.known].flatMap(([directory, known]) => (known === 'own' ? [] : [[directory, known]]));
  }

  private knownAt(directory: string): Known | 'own' {
    const before = this.known.get(directory);
    if (before) return before;
    const place = placeIn(directory);
    const known = this.isOwn(place) ? 'own' : { read: readProjectFile(place, this.options.tools) };
    this.known.set(directory, known);
    return known;
  }

  private rulesOf(known: Known): Rules {
    const { parsed, file } = known.read;
    return (known.rules ??= this.options.together(parsed?.policy ?? { version: 1 }, file));
  }

  private isOwn(place: string): boolean {
    const { own } = this.options;
    if (own === undefined || own === place) return own === place;
    // What was there when the desktop was started may be gone.
    return existsSync(own) && existsSync(place) && realpathSync(own) === realpathSync(place);
  }
}

const placeIn = (directory: string): string => policyPlaces({ startDirectory: directory }).project!;

const filesOf = ({ parsed }: ProjectFile): { project?: PolicyFile } => (parsed ? { project: parsed.policy } : {});
