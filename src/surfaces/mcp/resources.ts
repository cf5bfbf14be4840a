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
import { type AtOnce, rpcError } from './call-tool.js';
import type { DesktopLink } from './desktop-link.js';

/** The protocol's own code for it, which the SDK has no name for. */
const NOT_FOUND = -32_002;
const MOST_LOOKS = 32;
const MOST_PICTURES = 4;
const MOST_PICTURE_BYTES = 8 * 1024 * 1024;
const KINDS = { s: 'snapshot', c: 'capture' } as const;

interface Picture {
  data: string;
  mimeType: string;
}

interface Kept {
  at: string;
  picture?: Picture;
}

const uriOf = (id: string): string => `deskproof://${KINDS[id[0] as 's' | 'c']}/${id}`;

/**
 * Looks and pictures that this client has had, to be read again as data. A look is kept by the desktop, which forgets
 * it when something in it becomes hidden; a picture by us, and not given while any window is hidden.
 */
export class Resources {
  private readonly kept = new Map<string, Kept>();

  constructor(
    server: Server,
    private readonly link: DesktopLink,
    private readonly caller: string,
    private readonly calls: AtOnce,
  ) {
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: this.list() }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [
        {
          uriTemplate: 'deskproof://snapshot/{id}',
          name: 'snapshot',
          description: 'A look that you have had, as data.',
          mimeType: 'application/json',
        },
      ],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
      this.calls.run(() => this.read(params.uri, signal)),
    );
  }

  /** What an answer showed. */
  keep({ id, json }: CallAnswer): void {
    if (id === undefined) return;
    const { data, mimeType } = (json ?? {}) as Partial<Picture>;
    const isPicture = id.startsWith('c');
    if (isPicture && (data === undefined || mimeType === undefined || data.length > MOST_PICTURE_BYTES)) return;
    const picture = isPicture ? { picture: { data: data!, mimeType: mimeType! } } : {};
    this.kept.set(id, { at: new Date().toISOString(), ...picture });
    this.forgetOldest('s', MOST_LOOKS);
    this.forgetOldest('c', MOST_PICTURES);
    while (this.pictureBytes > MOST_PICTURE_BYTES) this.forgetOldest('c', this.idsOf('c').length - 1);
  }

  private list(): Resource[] {
    return [...this.kept].map(([id, { at, picture }]) => ({
      uri: uriOf(id),
      name: id,
      description: picture ? 'A picture that you have had.' : 'A look that you have had, as data.',
      mimeType: picture?.mimeType ?? 'application/json',
      annotations: { lastModified: at },
    }));
  }

  private async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const [id, found] = [...this.kept].find(([one]) => uriOf(one) === uri) ?? [];
    if (id === undefined || !found) throw gone();
    const host = await this.link.host();
    try {
      if (found.picture) {
        const looked = { tool: 'ui_list_windows', args: {}, want: 'json', caller: this.caller };
        const { json } = await host.request<CallAnswer>('call', looked, { signal });
        const permitted = this.link.offers()?.includes('ui_capture') ?? true;
        if (!permitted || Number(json?.hiddenByPolicy ?? 0) > 0) throw gone();
        return { contents: [{ uri, mimeType: found.picture.mimeType, blob: found.picture.data }] };
      }
      const { json } = await host.request<CallAnswer>('kept', { id, caller: this.caller }, { signal });
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(json) }] };
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      throw rpcError(NOT_FOUND, error.message);
    }
  }

  private get pictureBytes(): number {
    return [...this.kept.values()].reduce((sum, { picture }) => sum + (picture?.data.length ?? 0), 0);
  }

  private idsOf(kind: 's' | 'c'): string[] {
    return [...this.kept.keys()].filter((id) => id.startsWith(kind));
  }

  private forgetOldest(kind: 's' | 'c', most: number): void {
    const ids = this.idsOf(kind);
    for (const id of ids.slice(0, Math.max(0, ids.length - most))) this.kept.delete(id);
  }
}

const gone = (): Error => rpcError(NOT_FOUND, 'There is no such look or picture, or no longer. Look again.');
