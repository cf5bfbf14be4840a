import { kindOf, type AppKind } from './app-arguments.js';

/** Options, and whether a value may stand in the same word. */
type Options = Readonly<Record<string, 'plain' | 'value'>>;

const ANY: Options = { 'new-window': 'plain' };

const ENGINE: Options = {
  ...ANY,
  ...{ 'force-renderer-accessibility': 'value', 'password-store': 'value', 'no-sandbox': 'plain' },
  ...{ 'user-data-dir': 'value', 'force-device-scale-factor': 'value', lang: 'value' },
  ...{ 'disable-gpu': 'plain', 'disable-dev-shm-usage': 'plain', 'disable-extensions': 'plain' },
};

const BROWSER: Options = {
  ...ENGINE,
  ...{ app: 'value', headless: 'value', incognito: 'plain', guest: 'plain', kiosk: 'plain', 'new-tab': 'plain' },
  ...{ 'window-size': 'value', 'window-position': 'value', 'start-maximized': 'plain', 'start-fullscreen': 'plain' },
  ...{ 'no-first-run': 'plain', 'no-default-browser-check': 'plain', 'disable-background-networking': 'plain' },
  ...{ 'temp-profile': 'plain', 'profile-directory': 'value', 'disable-sync': 'plain', 'mute-audio': 'plain' },
};

const OFFICE: Options = {
  ...{ norestore: 'plain', nologo: 'plain', nofirststartwizard: 'plain', nodefault: 'plain', nolockcheck: 'plain' },
  ...{ writer: 'plain', calc: 'plain', impress: 'plain', draw: 'plain', math: 'plain', base: 'plain', web: 'plain' },
  ...{ global: 'plain', view: 'plain', show: 'plain', n: 'plain', o: 'plain', minimized: 'plain' },
};

const HARMLESS: Readonly<Record<AppKind, Options>> = {
  browser: BROWSER,
  electron: ENGINE,
  office: OFFICE,
  other: ANY,
};

/**
 * What a script makes of an option nobody has read: `--debug` of Debian's chromium puts its other words into a
 * debugger's commands, `--strace` of LibreOffice starts strace. So only those that are known are taken for harmless.
 */
export function hasOnlyHarmless(script: string, args: readonly string[]): boolean {
  const known = HARMLESS[kindOf({ path: script, realPath: script })];
  return args.every((arg) => {
    if (!arg.startsWith('-') || arg === '--') return true;
    const [, name = '', value] = /^--?([a-z][a-z-]*)(=[^]*)?$/.exec(arg) ?? [];
    return Object.hasOwn(known, name) && (value === undefined || known[name] === 'value');
  });
}
