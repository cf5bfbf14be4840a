import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CLI, type CliRoom } from '../cli-room.js';
import { until } from './seat-room.js';

/** An MCP client whose user is asked by forms and answers when the test says so. */
export class Caller {
  /** The forms that its user has not answered yet. */
  readonly forms: ((result: ElicitResult) => void)[] = [];

  private constructor(
    readonly client: Client,
    private readonly transport: Transport,
  ) {
    client.setRequestHandler(
      ElicitRequestSchema,
      () => new Promise<ElicitResult>((resolve) => void this.forms.push(resolve)),
    );
  }

  static async connect(transport: Transport): Promise<Caller> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    const caller = new Caller(client, transport);
    await client.connect(transport);
    return caller;
  }

  static stdio(room: CliRoom, desktop: string): Promise<Caller> {
    const env = room.env as Record<string, string>;
    const args = [CLI, 'mcp', '--desktop', desktop];
    return Caller.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  }

  /** The text of the answer, of a refusal too. */
  async call(name: string, args: object, signal?: AbortSignal): Promise<string> {
    const options = { timeout: 120_000, ...(signal && { signal }) };
    const result = await this.client.callTool({ name, arguments: { ...args } }, undefined, options);
    return (result as CallToolResult).content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  /** Ends the session as a client does that may come again at once. */
  async leave(): Promise<void> {
    if (this.transport instanceof StreamableHTTPClientTransport) await this.transport.terminateSession();
    await this.client.close();
  }
}

/** A server over HTTP for any number of callers. */
export class HttpDoor {
  private constructor(
    readonly url: URL,
    readonly authorization: string,
  ) {}

  static async open(room: CliRoom, desktop: string): Promise<HttpDoor> {
    const server = room.start('mcp', '--http', '--desktop', desktop);
    await until('it to listen', () => /Bearer [0-9a-f]{64}/.test(server.said()));
    return new HttpDoor(new URL(/http:\S+/.exec(server.said())![0]), /Bearer [0-9a-f]{64}/.exec(server.said())![0]);
  }

  enter(): Promise<Caller> {
    const requestInit = { headers: { authorization: this.authorization } };
    return Caller.connect(new StreamableHTTPClientTransport(this.url, { requestInit }));
  }

  /** Any message, in any session. */
  async post(session: string, message: object): Promise<number> {
    const headers = {
      authorization: this.authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const answer = await fetch(this.url, { method: 'POST', headers, body });
    await answer.body?.cancel();
    return answer.status;
  }
}

export interface Message {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { content?: { text: string }[] } & Record<string, unknown>;
  error?: { code: number; message: string };
}

/** A client that writes what it likes to the server's standard input. */
export class RawCaller {
  readonly heard: Message[] = [];
  /** Called with each message of the server. */
  onMessage: (message: Message) => void = () => undefined;
  private readonly server: ChildProcessWithoutNullStreams;

  constructor(room: CliRoom, desktop: string) {
    this.server = spawn(process.execPath, [CLI, 'mcp', '--desktop', desktop], { env: room.env, cwd: room.base });
    this.server.stderr.resume();
    let rest = '';
    this.server.stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as Message;
        this.heard.push(message);
        this.onMessage(message);
      }
    });
  }

  say(message: object): void {
    this.server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  initialize(id: number): void {
    const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} } };
    this.say({ id, method: 'initialize', params: { ...params, clientInfo: { name: 'raw', version: '1' } } });
    this.say({ method: 'notifications/initialized' });
  }

  call(id: number, name: string, args: object): void {
    this.say({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** The answer to one of its own requests. */
  answerTo(id: number): Promise<Message> {
    return until(`the answer to ${id}`, () => this.heard.find((one) => one.id === id && one.method === undefined));
  }

  async textOf(id: number): Promise<string> {
    return (await this.answerTo(id)).result?.content?.map(({ text }) => text).join('') ?? '';
  }

  get elicitations(): Message[] {
    return this.heard.filter(({ method }) => method === 'elicitation/create');
  }

  end(): void {
    this.server.stdin.end();
  }
}
