import type { SentencePart } from '../../tools/index.js';
import { safeText } from '../step-text.js';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Text from a screen or a caller: marked as such, and isolated so that its direction does not affect the page. */
export function quotedHtml(text: string): string {
  return `<q><bdi>${escapeHtml(text)}</bdi></q>`;
}

export function partsHtml(parts: readonly SentencePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? escapeHtml(part) : quotedHtml(part.quoted))).join(' ');
}

/** The same without markup, for titles. */
export function partsText(parts: readonly SentencePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : `“${part.quoted}”`)).join(' ');
}
