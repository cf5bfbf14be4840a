import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import type { CallAnswer } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { type ConcurrencyLimit, rpcError } from './call-tool.js';
import type { DesktopLink } from './desktop-link.js';

/** The protocol's code for it. The SDK has no name for it. */
const NOT_FOUND = -32_002;
const MAX_SNAPSHOTS = 32;
const MAX_SCREENSHOTS = 4;
const MAX_SCREENSHOT_BYTES = 8 * 1024 * 1024;
const KINDS = { s: 'snapshot', c: 'capture' } as const;

interface Screenshot {
  data: string;
  mimeType: string;
}

interface StoredResource {
  at: string;
  screenshot?: Screenshot;
}

const uriOf = (id: string): string => `deskproof://${KINDS[id[0] as 's' | 'c']}/${id}`;

/**
 * Snapshots and screenshots that this client has received, to be read again as data. Snapshots are stored by the host,
 * which drops them when something in them becomes hidden. Screenshots are stored here and are not returned while any
 * window is hidden.
 */
export class Resources {
  private readonly stored = new Map<string, StoredResource>();

  constructor(
    server: Server,
    private readonly link: DesktopLink,
    private readonly caller: string,
    private readonly calls: ConcurrencyLimit,
  ) {
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: this.list() }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [
        {
          uriTemplate: 'deskproof://snapshot/{id}',
          name: 'snapshot',
          description: 'An earlier snapshot, as data.',
          mimeType: 'application/json',
        },
      ],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
      this.calls.run(() => this.read(params.uri, signal)),
    );
  }

  /** Remembers the snapshot or screenshot of an answer. */
  store({ id, json }: CallAnswer): void {
    if (id === undefined) return;
    const { data, mimeType } = (json ?? {}) as Partial<Screenshot>;
    const isScreenshot = id.startsWith('c');
    if (isScreenshot && (data === undefined || mimeType === undefined || data.length > MAX_SCREENSHOT_BYTES)) return;
    const screenshot = isScreenshot ? { screenshot: { data: data!, mimeType: mimeType! } } : {};
    this.stored.set(id, { at: new Date().toISOString(), ...screenshot });
    this.dropOldest('s', MAX_SNAPSHOTS);
    this.dropOldest('c', MAX_SCREENSHOTS);
    while (this.screenshotBytes > MAX_SCREENSHOT_BYTES) this.dropOldest('c', this.idsOf('c').length - 1);
  }

  private list(): Resource[] {
    return [...this.stored].map(([id, { at, screenshot }]) => ({
      uri: uriOf(id),
      name: id,
      description: screenshot ? 'An earlier screenshot.' : 'An earlier snapshot, as data.',
      mimeType: screenshot?.mimeType ?? 'application/json',
      annotations: { lastModified: at },
    }));
  }

  private async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const [id, found] = [...this.stored].find(([one]) => uriOf(one) === uri) ?? [];
    if (id === undefined || !found) throw notFound();
    const host = await this.link.host();
    try {
      if (found.screenshot) {
        const listing = { tool: 'ui_list_windows', args: {}, want: 'json', caller: this.caller };
        const { json } = await host.request<CallAnswer>('call', listing, { signal });
        const permitted = this.link.offeredTools()?.includes('ui_capture') ?? true;
        if (!permitted || Number(json?.hiddenByPolicy ?? 0) > 0) throw notFound();
        return { contents: [{ uri, mimeType: found.screenshot.mimeType, blob: found.screenshot.data }] };
      }
      const { json } = await host.request<CallAnswer>('kept', { id, caller: this.caller }, { signal });
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(json) }] };
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      throw rpcError(NOT_FOUND, error.message);
    }
  }

  private get screenshotBytes(): number {
    return [...this.stored.values()].reduce((sum, { screenshot }) => sum + (screenshot?.data.length ?? 0), 0);
  }

  private idsOf(kind: 's' | 'c'): string[] {
    return [...this.stored.keys()].filter((id) => id.startsWith(kind));
  }

  private dropOldest(kind: 's' | 'c', most: number): void {
    const ids = this.idsOf(kind);
    for (const id of ids.slice(0, Math.max(0, ids.length - most))) this.stored.delete(id);
  }
}

const notFound = (): Error =>
  rpcError(NOT_FOUND, 'The snapshot or screenshot does not exist or is no longer available. Take a new one.');
