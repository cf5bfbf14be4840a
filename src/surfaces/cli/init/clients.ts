import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** A program that can use Deskproof, and the file that lists its MCP servers. */
export interface McpClient {
  readonly name: string;
  readonly file: string;
  /** The client is installed, or was used once, if one of these paths exists. */
  readonly paths: readonly string[];
  /** The key that contains the servers. */
  readonly key: 'mcpServers' | 'servers';
  /** Its entries name their transport. */
  readonly namesTransport: boolean;
  /** What the user must do so that the client reads the file again. */
  readonly reloadHint: string;
}

/** The per-user files of the known clients. */
export function knownClients(env: Env = process.env, platform: NodeJS.Platform = process.platform): McpClient[] {
  const home = env.HOME ?? homedir();
  const apps = appsFolder(home, env, platform);
  return [
    {
      name: 'Claude Desktop',
      file: join(apps, 'Claude', 'claude_desktop_config.json'),
      paths: [join(apps, 'Claude')],
      key: 'mcpServers',
      namesTransport: false,
      reloadHint: 'quit and restart it',
    },
    {
      name: 'Claude Code',
      file: join(home, '.claude.json'),
      paths: [join(home, '.claude.json'), join(home, '.claude')],
      key: 'mcpServers',
      namesTransport: true,
      reloadHint: 'start a new session',
    },
    {
      name: 'VS Code',
      file: join(apps, 'Code', 'User', 'mcp.json'),
      paths: [join(apps, 'Code', 'User')],
      key: 'servers',
      namesTransport: true,
      reloadHint: 'start the server in the list of MCP servers',
    },
    {
      name: 'Cursor',
      file: join(home, '.cursor', 'mcp.json'),
      paths: [join(home, '.cursor')],
      key: 'mcpServers',
      namesTransport: false,
      reloadHint: 'enable it in the settings, under MCP',
    },
  ];
}

export function isInstalled({ paths: signs }: McpClient): boolean {
  return signs.some((sign) => existsSync(sign));
}

function appsFolder(home: string, env: Env, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME ? env.XDG_CONFIG_HOME : join(home, '.config');
}
