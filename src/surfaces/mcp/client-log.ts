import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LoggingLevelSchema, SetLevelRequestSchema, type LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

const LEVELS = LoggingLevelSchema.options;

/**
 * What a client may show its person of what goes on. Names of tools, times and codes only: what is on the screen and
 * what was typed goes into answers, where policy has looked at it.
 */
export class ClientLog {
  /** Undefined: it has not asked for any. */
  private least: LoggingLevel | undefined;

  constructor(private readonly server: Server) {
    server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
      this.least = params.level;
      return {};
    });
  }

  write(level: LoggingLevel, data: Readonly<Record<string, string | number | boolean>>): void {
    if (!this.least || LEVELS.indexOf(level) < LEVELS.indexOf(this.least)) return;
    const message = { method: 'notifications/message' as const, params: { level, logger: 'deskproof', data } };
    // Whoever has gone need not know.
    this.server.notification(message).catch(() => undefined);
  }
}
