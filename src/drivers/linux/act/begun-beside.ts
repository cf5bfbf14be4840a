/**
 * A look that must be the last thing before an act takes longer than planning it, so it begins beside that. Where it
 * ended before whoever asks for it was ready, it was not the last: there is another.
 */
export function begunBeside(look: () => Promise<void>): () => Promise<void> {
  let over = false;
  const first = look().finally(() => (over = true));
  first.catch(() => undefined); // Told to whoever asks; who has nothing to do does not.
  return async () => {
    const early = over;
    await first;
    if (early) await look();
  };
}
