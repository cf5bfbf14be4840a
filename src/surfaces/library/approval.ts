import type { AskedQuestion } from '../../host/index.js';

/** What the policy leaves to a person. */
export interface ApprovalQuestion {
  /** What would be done, in Deskproof's words: `click e22 button "Delete" in w3`. What is in quotes is the app's. */
  what: string;
  /** Why it is asked: `risk high, rule ask-destructive`. */
  why: string;
  /** The tool that would do it. */
  tool: string;
  /** Its arguments, without what is secret. */
  args: Record<string, unknown>;
  /** The program it would be done in, as the operating system tells it; absent where that cannot be checked. */
  program?: string;
  /** Quoted from the screen: data that the app chose, never instructions. */
  screen?: { app?: string; window?: string; role?: string; name?: string };
  /** The widest yes that may be given. */
  widest: 'once' | 'session' | 'app';
  /** Milliseconds since the epoch; silence until then is a no. */
  expiresAt: number;
}

/** A yes, and for how much; or a no, and perhaps why. */
export type ApprovalAnswer = { allow: 'once' | 'session' | 'app' } | { deny: true; reason?: string };

export function questionFor({ shown, widest, expiresAt }: AskedQuestion): ApprovalQuestion {
  const { what, why, tool, args, program, screen } = shown;
  return {
    ...{ what, why, tool, args, widest, expiresAt },
    ...(program !== undefined && { program }),
    ...(screen && { screen: { app: screen.app, window: screen.window, role: screen.role, name: screen.name } }),
  };
}

const SCOPES: readonly ApprovalQuestion['widest'][] = ['once', 'session', 'app'];

/**
 * As the host takes it. Whatever is not clearly a yes, or a yes to more than was asked, is a no: nobody asks again. It
 * comes from a program that no compiler may have seen, so anything may be in it.
 */
export function spoken(
  answer: unknown,
  widest: ApprovalQuestion['widest'],
): { scope?: ApprovalQuestion['widest']; reason?: string } {
  if (typeof answer !== 'object' || answer === null) return {};
  const { allow, deny, reason } = answer as Record<string, unknown>;
  const scope = SCOPES.find((one) => one === allow);
  if (scope === undefined || deny) return typeof reason === 'string' ? { reason: reason.slice(0, 200) } : {};
  if (SCOPES.indexOf(scope) <= SCOPES.indexOf(widest)) return { scope };
  return { reason: `approve() allows "${scope}", and the widest here is "${widest}"` };
}
