import type { ActStep, Driver } from '../../src/drivers/contract/index.js';

type Acts = Required<Pick<Driver, 'act'>> & NonNullable<Driver['input']>;
type Name = 'act' | 'click' | 'drag' | 'wheel' | 'press' | 'type';

/**
 * Calls `hook` when an act of this kind has ended without an error, however many checkpoints it had. The answer restores
 * the driver.
 */
export function afterAct<N extends Name>(
  driver: Driver,
  name: N,
  hook: (...args: Parameters<Acts[N]>) => void,
): () => void {
  const owner = (name === 'act' ? driver : driver.input!) as unknown as Record<Name, (...args: unknown[]) => unknown>;
  const own = owner[name].bind(owner);
  const resume = driver.resume!.bind(driver);
  const waiting = new Map<string, Parameters<Acts[N]>>();
  const follow = (step: ActStep<unknown>, args: Parameters<Acts[N]> | undefined): ActStep<unknown> => {
    if (!args) return step;
    if ('checkpoint' in step) waiting.set(step.checkpoint.token, args);
    else hook(...args);
    return step;
  };
  owner[name] = async (...args) =>
    follow((await own(...args)) as ActStep<unknown>, args as unknown as Parameters<Acts[N]>);
  driver.resume = async (token, ...rest) => follow(await resume(token, ...rest), waiting.get(token));
  return () => {
    owner[name] = own;
    driver.resume = resume;
  };
}
