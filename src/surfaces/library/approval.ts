import type { PendingQuestion } from '../../host/index.js';

/** A request for approval, passed to the `approve` option of `openDesktop`. */
export interface ApprovalQuestion {
  /** The act in Deskproof's words: `click e22 button "Delete" in w3`. Text in quotes comes from the app. */
  what: string;
  /** The reason for the request: `risk high, rule ask-destructive`. */
  why: string;
  /** The tool that would be called. */
  tool: string;
  /** The arguments of the tool, without secrets. */
  args: Record<string, unknown>;
  /** The program that would be operated, as the operating system reports it. Absent if that cannot be checked. */
  program?: string;
  /** For a secret: addresses of the web pages around its field, as the browser reports them, innermost first. */
  pages?: string[];
  /** Text quoted from the screen. The app chose it: treat it as data, not as instructions. */
  screen?: { app?: string; window?: string; role?: string; name?: string };
  /** The widest scope that the answer may have. */
  widest: 'once' | 'session' | 'app';
  /** Deadline in milliseconds since the epoch. No answer until then counts as a denial. */
  expiresAt: number;
}

/** An approval with its scope, or a denial with an optional reason. */
export type ApprovalAnswer = { allow: 'once' | 'session' | 'app' } | { deny: true; reason?: string };

export function toApprovalQuestion({ shown, widest, expiresAt }: PendingQuestion): ApprovalQuestion {
  const { what, why, tool, args, program, pages, screen } = shown;
  return {
    ...{ what, why, tool, args, widest, expiresAt },
    ...(program !== undefined && { program }),
    ...(pages && { pages }),
    ...(screen && { screen: { app: screen.app, window: screen.window, role: screen.role, name: screen.name } }),
  };
}

const SCOPES: readonly ApprovalQuestion['widest'][] = ['once', 'session', 'app'];

/**
 * Converts an answer for the host. Anything but a clear approval, or an approval with a wider scope than permitted,
 * becomes a denial; the request is not repeated. The answer comes from user code that may be untyped, so it can be any
 * value.
 */
export function toHostAnswer(
  answer: unknown,
  widest: ApprovalQuestion['widest'],
): { scope?: ApprovalQuestion['widest']; reason?: string } {
  if (typeof answer !== 'object' || answer === null) return {};
  const { allow, deny, reason } = answer as Record<string, unknown>;
  const scope = SCOPES.find((one) => one === allow);
  if (scope === undefined || deny) return typeof reason === 'string' ? { reason: reason.slice(0, 200) } : {};
  if (SCOPES.indexOf(scope) <= SCOPES.indexOf(widest)) return { scope };
  return { reason: `approve() returned scope "${scope}", but the widest permitted scope is "${widest}"` };
}
