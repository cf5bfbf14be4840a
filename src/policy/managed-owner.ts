/** Who owns a file or directory, and who may write it. */
export interface Owned {
  path: string;
  uid: number;
  /** As `stat` has it. */
  mode: number;
  /** Who may write through a link is said by what it leads to and by the directory that holds it. */
  link?: boolean;
}

const ROOT = 0;
const GROUP_OR_OTHERS = 0o022;

/** Why the managed file is not to be trusted: it binds people only as long as they cannot change it. */
export function ownerFault(parts: readonly Owned[]): string | undefined {
  for (const { path, uid, mode, link } of parts) {
    if (uid !== ROOT) return `${path} does not belong to root`;
    if (!link && (mode & GROUP_OR_OTHERS) !== 0) return `${path} can be written by others than root`;
  }
  return undefined;
}
