/** More objects than this of one app: all are forgotten, so that memory stays bounded. */
const MOST_OBJECTS = 10_000;

/**
 * GTK 3 tells a widget's place whenever it lays it out, all the way up to the window, also when everything stays where it
 * was (as long as somebody listens to that, a screen reader for instance). What it said before is no news.
 */
export class ToldBounds {
  private readonly last = new WeakMap<object, Map<string, string>>();

  /** Whether the object says again what it said the last time. `body` of the signal. */
  repeats(app: object, path: string, body: readonly unknown[]): boolean {
    let known = this.last.get(app);
    if (!known || known.size >= MOST_OBJECTS) this.last.set(app, (known = new Map<string, string>()));
    const told = JSON.stringify(body[3]) ?? '';
    const same = told !== '' && known.get(path) === told;
    known.set(path, told);
    return same;
  }

  /** What was said meanwhile was not heard. */
  forget(app: object): void {
    this.last.delete(app);
  }
}
