import type { Settings } from '../../policy/index.js';
import { isShort, SecretStore, SHORT_UNDER } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';

/** Warnings about the secrets of a policy, as far as they can be found without running a command. */
export async function secretWarnings(
  { secrets }: Pick<Settings, 'secrets'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const seen = Object.entries(secrets).filter(
    ([, source]) => !('command' in source) && !('env' in source && environment[source.env] === undefined),
  );
  const store = new SecretStore(Object.fromEntries(seen), { environment: { ...environment } });
  const warnings: string[] = [];
  try {
    for (const [name] of seen) {
      const warning = await warningFor(store, name);
      if (warning !== undefined) warnings.push(warning);
    }
  } finally {
    store.close();
  }
  return warnings;
}

async function warningFor(store: SecretStore, name: string): Promise<string | undefined> {
  try {
    const value = await store.resolve(name);
    const short = isShort(value.reveal());
    value.wipe();
    if (!short) return undefined;
    const rest = 'it is redacted only as a whole word, and only in the window that it was typed into';
    return `secret ${name} has under ${SHORT_UNDER} characters: ${rest}`;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.message} ${error.hint ?? ''}`.trim();
    throw error;
  }
}
