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
  /** The project policy that applies to all callers: the one of the directory where the desktop was started. */
  own: string | undefined;
  /** Compiles the desktop's rules together with those of one more project. */
  compileWith: (policy: PolicyFile, file: string) => Rules;
}

const MAX_WITH_FILE = 250;
const MAX_WITHOUT_FILE = 1_000;

interface CachedPolicy {
  read: ProjectFile;
  rules?: Rules;
}

/** The rules for callers from one directory, and the file that they come from. */
interface ProjectInForce extends ProjectRules {
  parsed?: ParsedPolicy;
}

/**
 * The policies of the projects that callers were started in. Each applies to the callers from its directory, in
 * addition to that of the desktop. Each is read once; a file that changed waits until the user reloads the policy.
 */
export class ProjectPolicies {
  /** By directory. An entry stays, whatever happens to its file. */
  private readonly withFile = new Map<string, CachedPolicy>();
  /** Directories without a policy file. `own`: the file was read together with the desktop's other files. */
  private readonly withoutFile = new Map<string, CachedPolicy | 'own'>();

  constructor(private readonly options: Options) {}

  /** Undefined if it adds nothing to the desktop's own rules. A faulty file is an error every time. */
  inForce(directory: string): ProjectInForce | undefined {
    const known = this.policyAt(directory);
    if (known === 'own') return undefined;
    const { parsed, identity } = known.read;
    const changed = (): string[] => changedFiles([identity]);
    if (!parsed && changed().length === 0) return undefined;
    return { rules: this.rulesOf(known), changed, ...(parsed && { parsed }) };
  }

  /** Files that changed since they were read. */
  get changed(): string[] {
    return changedFiles(this.all.map(([, { read }]) => read.identity));
  }

  /** The differences to the files as they are now, one per line. */
  get differences(): string[] {
    return this.all.flatMap(([directory, { read }]) => {
      if (changedFiles([read.identity]).length === 0) return [];
      const now = readProjectFile(policyPathIn(directory), this.options.tools);
      return policyDifference(filesOf(read), filesOf(now)).map((line) => `${line} (${now.file})`);
    });
  }

  /** Files are read again when they are needed next, and compiled with the desktop's own rules of that time. */
  invalidate(): void {
    this.withFile.clear();
    this.withoutFile.clear();
  }

  /** The number of directories that are cached. */
  get size(): number {
    return this.withFile.size + this.withoutFile.size;
  }

  private get all(): [directory: string, CachedPolicy][] {
    const places = [...this.withFile, ...this.withoutFile];
    return places.flatMap(([directory, known]) => (known === 'own' ? [] : [[directory, known]]));
  }

  private policyAt(directory: string): CachedPolicy | 'own' {
    const before = this.withFile.get(directory) ?? this.withoutFile.get(directory);
    if (before) return before;
    const place = policyPathIn(directory);
    const known: CachedPolicy | 'own' = this.isOwn(place)
      ? 'own'
      : { read: readProjectFile(place, this.options.tools) };
    if (known !== 'own' && known.read.parsed) {
      // If an entry were dropped, its file could change and apply without a review by the user.
      if (this.withFile.size >= MAX_WITH_FILE) throw tooManyProjects(MAX_WITH_FILE);
      this.withFile.set(directory, known);
    } else {
      this.makeRoom();
      this.withoutFile.set(directory, known);
    }
    return known;
  }

  /** A directory that had no policy file and still has none can be dropped: it is read again like a new one. */
  private makeRoom(): void {
    if (this.withoutFile.size < MAX_WITHOUT_FILE) return;
    for (const [directory, known] of this.withoutFile) {
      // A file appeared meanwhile: it waits until the user reloads the policy.
      if (known !== 'own' && changedFiles([known.read.identity]).length > 0) continue;
      this.withoutFile.delete(directory);
      return;
    }
    throw tooManyProjects(MAX_WITHOUT_FILE);
  }

  private rulesOf(known: CachedPolicy): Rules {
    const { parsed, file } = known.read;
    return (known.rules ??= this.options.compileWith(parsed?.policy ?? { version: 1 }, file));
  }

  private isOwn(place: string): boolean {
    const { own } = this.options;
    if (own === undefined || own === place) return own === place;
    // The directory may have been removed since the desktop was started.
    return existsSync(own) && existsSync(place) && realpathSync(own) === realpathSync(place);
  }
}

const policyPathIn = (directory: string): string => policyPlaces({ startDirectory: directory }).project!;

const filesOf = ({ parsed }: ProjectFile): { project?: PolicyFile } => (parsed ? { project: parsed.policy } : {});

function tooManyProjects(most: number): DesktopError {
  return new DesktopError('policy_denied', `Callers came from ${most} projects with a policy, which is the limit.`, {
    retry: 'no',
    hint: 'Use another desktop, or start this one again.',
  });
}
