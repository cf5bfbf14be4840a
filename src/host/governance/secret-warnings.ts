import type { Settings } from '../../policy/index.js';
import { isShort, SecretStore, SHORT_UNDER } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';

/** What is odd about the secrets of a policy, as far as it can be seen without running a command. */
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
      const odd = await oddOf(store, name);
      if (odd !== undefined) warnings.push(odd);
    }
  } finally {
    store.close();
  }
  return warnings;
}

async function oddOf(store: SecretStore, name: string): Promise<string | undefined> {
  try {
    const value = await store.resolve(name);
    const short = isShort(value.reveal());
    value.wipe();
    if (!short) return undefined;
    const rest = 'it is known again only as a whole word, and only in the window that it was typed into';
    return `secret ${name} has under ${SHORT_UNDER} characters: ${rest}`;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.message} ${error.hint ?? ''}`.trim();
    throw error;
  }
}
