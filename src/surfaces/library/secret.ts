/** A secret by its name. What it is only the policy knows, and only its owner can read that. */
export class Secret {
  constructor(
    /** As the policy calls it. */
    readonly name: string,
  ) {}
}

/** The secret that the policy has under this name, to be given to `type`. */
export function secret(name: string): Secret {
  return new Secret(name);
}
