import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** A program that can use Deskproof, and the file in which it is told of servers. */
export interface McpClient {
  readonly name: string;
  readonly file: string;
  /** It is installed here, or was used once, when one of these is there. */
  readonly signs: readonly string[];
  /** The key that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  /** Its entries name their transport. */
  readonly typed: boolean;
  /** What a person does so that it looks at the file again. */
  readonly then: string;
}

/** Where each keeps its servers for one person, on every project. */
export function knownClients(env: Env = process.env, platform: NodeJS.Platform = process.platform): McpClient[] {
  const home = env.HOME ?? homedir();
  const apps = appsFolder(home, env, platform);
  return [
    {
      name: 'Claude Desktop',
      file: join(apps, 'Claude', 'claude_desktop_config.json'),
      signs: [join(apps, 'Claude')],
      key: 'mcpServers',
      typed: false,
      then: 'quit it and start it again',
    },
    {
      name: 'Claude Code',
      file: join(home, '.claude.json'),
      signs: [join(home, '.claude.json'), join(home, '.claude')],
      key: 'mcpServers',
      typed: true,
      then: 'start a new session',
    },
    {
      name: 'VS Code',
      file: join(apps, 'Code', 'User', 'mcp.json'),
      signs: [join(apps, 'Code', 'User')],
      key: 'servers',
      typed: true,
      then: 'start the server in the list of MCP servers',
    },
    {
      name: 'Cursor',
      file: join(home, '.cursor', 'mcp.json'),
      signs: [join(home, '.cursor')],
      key: 'mcpServers',
      typed: false,
      then: 'switch it on in the settings, under MCP',
    },
  ];
}

export function isInstalled({ signs }: McpClient): boolean {
  return signs.some((sign) => existsSync(sign));
}

function appsFolder(home: string, env: Env, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME ? env.XDG_CONFIG_HOME : join(home, '.config');
}
