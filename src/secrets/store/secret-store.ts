import { cleanName, DesktopError, didYouMean } from '../../shared/index.js';
import { type CommandOptions, readSecretFile, runSecretCommand } from './sources.js';
import { checkedText, secretFault, SecretValue } from './secret-value.js';

/** As a policy file names it; where it may go is the policy's matter. */
export type SecretSource = { env: string } | { file: string } | { command: readonly string[] };

export interface StoreOptions {
  /** Variables that name a secret are taken out of it, so that no program we start inherits them. */
  environment?: Record<string, string | undefined>;
}

/**
 * Secrets by name. Variables are read and removed at once; files and commands are asked each time, since their answer
 * may be another one tomorrow, and nothing is kept of it.
 */
export class SecretStore {
  private sources: ReadonlyMap<string, SecretSource> = new Map();
  private readonly variables = new Map<string, Buffer>();
  private readonly environment: NonNullable<StoreOptions['environment']>;

  constructor(settings: Readonly<Record<string, SecretSource>>, { environment = process.env }: StoreOptions = {}) {
    this.environment = environment;
    this.replace(settings);
  }

  /** After the policy was read again. A variable that was taken out of the environment before is still known. */
  replace(settings: Readonly<Record<string, SecretSource>>): void {
    this.sources = new Map(Object.entries(settings));
    const named = new Set([...this.sources.values()].flatMap((source) => ('env' in source ? [source.env] : [])));
    for (const variable of named) {
      const value = this.environment[variable];
      if (value !== undefined) this.variables.set(variable, Buffer.from(value));
      delete this.environment[variable];
    }
    for (const [variable, bytes] of this.variables) {
      if (named.has(variable)) continue;
      bytes.fill(0);
      this.variables.delete(variable);
    }
  }

  get names(): string[] {
    return [...this.sources.keys()];
  }

  /** Says whether there is such a secret before anything is decided or asked: a wrong name is a wrong argument. */
  check(name: string): void {
    if (this.sources.has(name)) return;
    const meant = didYouMean(name, this.names);
    const known =
      this.names.length === 0 ? 'No secrets are named in the policy file.' : `There are: ${this.names.join(', ')}`;
    throw new DesktopError('bad_arguments', `There is no secret ${JSON.stringify(cleanName(name, 60).text)}.`, {
      hint: meant === undefined ? known : `Did you mean ${meant}?`,
    });
  }

  /** The caller wipes it. */
  async resolve(name: string, options: CommandOptions = {}): Promise<SecretValue> {
    this.check(name);
    const bytes = await this.bytesOf(name, this.sources.get(name)!, options);
    return new SecretValue(name, checkedText(name, bytes));
  }

  /** Zeroes what is held. A variable is gone for good then. */
  close(): void {
    for (const bytes of this.variables.values()) bytes.fill(0);
    this.variables.clear();
  }

  private async bytesOf(name: string, source: SecretSource, options: CommandOptions): Promise<Buffer> {
    if ('file' in source) return readSecretFile(name, source.file);
    if ('command' in source) return runSecretCommand(name, source.command, options);
    const bytes = this.variables.get(source.env);
    if (bytes) return Buffer.from(Uint8Array.from(bytes).buffer);
    throw secretFault(name, `the variable ${source.env} was not set`, 'Set it before the desktop is started.');
  }
}
