import { cleanName, DesktopError, didYouMean } from '../../shared/index.js';
import { type CommandOptions, readSecretFile, runSecretCommand } from './sources.js';
import { validateText, secretError, SecretValue } from './secret-value.js';

/** As written in a policy file. Where the secret may be typed is checked by the policy. */
export type SecretSource = { env: string } | { file: string } | { command: readonly string[] };

interface StoreOptions {
  /** Variables that contain a secret are deleted from it, so that programs we start do not inherit them. */
  environment?: Record<string, string | undefined>;
}

/**
 * Secrets by name. Environment variables are read and deleted at once. Files and commands are read at each use, since
 * their value may change, and the value is not kept.
 */
export class SecretStore {
  private sources: ReadonlyMap<string, SecretSource> = new Map();
  private readonly variables = new Map<string, Buffer>();
  private readonly environment: NonNullable<StoreOptions['environment']>;

  constructor(settings: Readonly<Record<string, SecretSource>>, { environment = process.env }: StoreOptions = {}) {
    this.environment = environment;
    this.replace(settings);
  }

  /** Called after the policy was reloaded. A variable that was deleted from the environment earlier is still known. */
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

  /** Throws for an unknown name. Called before policy is evaluated: a wrong name is a wrong argument. */
  check(name: string): void {
    if (this.sources.has(name)) return;
    const meant = didYouMean(name, this.names);
    const known =
      this.names.length === 0 ? 'The policy file defines no secrets.' : `Known secrets: ${this.names.join(', ')}`;
    throw new DesktopError('bad_arguments', `There is no secret ${JSON.stringify(cleanName(name, 60).text)}.`, {
      hint: meant === undefined ? known : `Did you mean ${meant}?`,
    });
  }

  /** The caller must wipe the value. */
  async resolve(name: string, options: CommandOptions = {}): Promise<SecretValue> {
    this.check(name);
    const bytes = await this.bytesOf(name, this.sources.get(name)!, options);
    return new SecretValue(name, validateText(name, bytes));
  }

  /** Zeroes all held values. Environment variables cannot be read again. */
  close(): void {
    for (const bytes of this.variables.values()) bytes.fill(0);
    this.variables.clear();
  }

  private async bytesOf(name: string, source: SecretSource, options: CommandOptions): Promise<Buffer> {
    if ('file' in source) return readSecretFile(name, source.file);
    if ('command' in source) return runSecretCommand(name, source.command, options);
    const bytes = this.variables.get(source.env);
    if (bytes) return Buffer.from(Uint8Array.from(bytes).buffer);
    throw secretError(
      name,
      `the environment variable ${source.env} was not set`,
      'Set it before you start the desktop.',
    );
  }
}
