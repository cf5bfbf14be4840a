import { existsSync, readFileSync } from 'node:fs';
import { installCommand } from './private-desktop/requirements.js';

/**
 * Toolkits that expose their content only through a bridge, which is a package of its own and has to be named in the
 * environment of the app.
 */
type BridgedToolkit = 'Java' | 'GTK 2';

interface Bridge {
  /** The bridge works only with all of these files. */
  files: Readonly<Record<string, string>>;
  /** The Debian package of each file. */
  packages: Readonly<Record<string, string>>;
  /** Files that a process of this toolkit has mapped when it has a window. */
  mapped: readonly RegExp[];
  variable: string;
  value: string;
  separator: string;
}

const TRIPLETS: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const LIBRARIES = `/usr/lib/${TRIPLETS[process.arch] ?? `${process.arch}-linux-gnu`}`;

const JAVA_JAR = '/usr/share/java/java-atk-wrapper.jar';
const JAVA_LIBRARIES = `${LIBRARIES}/jni`;
const GTK2_MODULES = `${LIBRARIES}/gtk-2.0/modules`;

const BRIDGES: Readonly<Record<BridgedToolkit, Bridge>> = {
  Java: {
    // The wrapper runs /usr/bin/xprop to see whether there is an accessibility bus.
    files: { jar: JAVA_JAR, library: `${JAVA_LIBRARIES}/libatk-wrapper.so`, xprop: '/usr/bin/xprop' },
    packages: { jar: 'libatk-wrapper-java', library: 'libatk-wrapper-java-jni', xprop: 'x11-utils' },
    mapped: [/\/libjvm\.so$/m, /\/libawt_xawt\.so$/m],
    variable: 'JAVA_TOOL_OPTIONS',
    // An app that is told to use the wrapper and cannot load it ends at its first window (OpenJDK 17 and 25). The class
    // is therefore on the boot class path, which no app replaces, and the folder of its library is added to the one
    // path that is searched for such classes: without it, a Java that is not Debian's does not find the library.
    value: [
      '-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper',
      `-Xbootclasspath/a:${JAVA_JAR}`,
      `-Dsun.boot.library.path=${JAVA_LIBRARIES}`,
    ].join(' '),
    separator: ' ',
  },
  'GTK 2': {
    files: { gail: `${GTK2_MODULES}/libgail.so`, bridge: `${GTK2_MODULES}/libatk-bridge.so` },
    packages: { gail: 'libgail-common', bridge: 'libatk-adaptor' },
    mapped: [/\/libgtk-x11-2\.0\.so[.\d]*$/m],
    variable: 'GTK_MODULES',
    value: 'gail:atk-bridge',
    separator: ':',
  },
};

type Exists = (file: string) => boolean;

const missingPackagesOf = ({ files, packages }: Bridge, exists: Exists): string[] =>
  Object.entries(files).flatMap(([name, file]) => (exists(file) ? [] : [packages[name]!]));

/** The variables for the bridges that are installed here, after what `env` has in them. */
export function bridgeVariables(
  env: Readonly<Record<string, string | undefined>>,
  exists: Exists = existsSync,
): Record<string, string> {
  const installed = Object.values(BRIDGES).filter((bridge) => missingPackagesOf(bridge, exists).length === 0);
  return Object.fromEntries(
    installed.map(({ variable, value, separator }) => {
      const own = env[variable];
      return [variable, !own || own.includes(value) ? own || value : `${own}${separator}${value}`];
    }),
  );
}

/** Why the app of this process exposes nothing, if it needs a bridge. Undefined for all other apps. */
export function missingBridge(pid: number | undefined, exists: Exists = existsSync): string | undefined {
  const mapped = pid === undefined ? '' : mappedFiles(pid);
  for (const [toolkit, bridge] of Object.entries(BRIDGES)) {
    if (!bridge.mapped.every((file) => file.test(mapped))) continue;
    const packages = missingPackagesOf(bridge, exists);
    return packages.length > 0
      ? `${toolkit} apps expose theirs only with ${packages.join(' and ')}: ${installCommand(packages)}, then start a new desktop and the app again`
      : `${toolkit} apps expose theirs only if they were started with ${bridge.variable}: start the app again with ui_launch`;
  }
  return undefined;
}

/** The libraries that a process has loaded; empty for another user's process and for one that has ended. */
function mappedFiles(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1');
  } catch {
    return ''; // It cannot be asked, so nothing is claimed about its toolkit.
  }
}
