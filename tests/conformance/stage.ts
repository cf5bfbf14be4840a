import type { TreeDriver } from '../../src/drivers/contract/index.js';
import type { DiaryLine } from './fixture-app.js';

export interface Replayable {
  /** Shows the scene as at the start. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The standard scene on one driver: how it is started, changed, stopped and ended. */
export interface Stage extends Replayable {
  driver: TreeDriver;
  /** Sends a command of scene.ts to the main app; resolves when the app has done it. */
  command(line: string): Promise<void>;
  /** What the main app wrote down since it was started, in the words of scene.ts. */
  diary(): readonly DiaryLine[];
  /** Stops the main app as SIGSTOP does. */
  hang(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the main app as SIGKILL does. */
  kill(): Promise<void>;
  /** Also after `kill`. */
  restart(): Promise<void>;
}

export interface Skip {
  driver: string;
  /** Name of the case, exactly. */
  case: string;
  reason: string;
}
