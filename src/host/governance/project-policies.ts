import { existsSync, realpathSync } from 'node:fs';
import {
  changedFiles,
  type ParsedPolicy,
  policyDifference,
  type PolicyFile,
  policyPlaces,
  type ProjectFile,
  readProjectFile,
} from '../../policy/index.js';
import type { ProjectRules, Rules } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';

interface Options {
  tools: readonly string[];
  /** Where the project's file is that counts for everybody: of the directory where the desktop was started. */
  own: string | undefined;
  /** The desktop's rules together with those of one more project. */
  together: (policy: PolicyFile, file: string) => Rules;
}

const MOST_WITH_FILE = 250;
const MOST_WITHOUT = 1_000;

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
  /** By directory. What stands here stays, whatever becomes of its file. */
  private readonly withFile = new Map<string, Known>();
  /** Those where there was none; of the desktop's own it was read with the other files. */
  private readonly without = new Map<string, Known | 'own'>();

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
    this.withFile.clear();
    this.without.clear();
  }

  /** How many directories it remembers. */
  get size(): number {
    return this.withFile.size + this.without.size;
  }

  private get all(): [directory: string, Known][] {
    const places = [...this.withFile, ...this.without];
    return places.flatMap(([directory, known]) => (known === 'own' ? [] : [[directory, known]]));
  }

  private knownAt(directory: string): Known | 'own' {
    const before = this.withFile.get(directory) ?? this.without.get(directory);
    if (before) return before;
    const place = placeIn(directory);
    const known: Known | 'own' = this.isOwn(place) ? 'own' : { read: readProjectFile(place, this.options.tools) };
    if (known !== 'own' && known.read.parsed) {
      // What was forgotten could change, and count without a person having looked.
      if (this.withFile.size >= MOST_WITH_FILE) throw tooMany(MOST_WITH_FILE);
      this.withFile.set(directory, known);
    } else {
      this.makeRoom();
      this.without.set(directory, known);
    }
    return known;
  }

  /** Where there was no file and is none, whoever comes again comes as if for the first time. */
  private makeRoom(): void {
    if (this.without.size < MOST_WITHOUT) return;
    for (const [directory, known] of this.without) {
      // One came meanwhile: it waits for a person.
      if (known !== 'own' && changedFiles([known.read.identity]).length > 0) continue;
      this.without.delete(directory);
      return;
    }
    throw tooMany(MOST_WITHOUT);
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

function tooMany(most: number): DesktopError {
  return new DesktopError('policy_denied', `Callers came from ${most} projects with a policy: no more are taken.`, {
    retry: 'no',
    hint: 'Use another desktop, or start this one again.',
  });
}
