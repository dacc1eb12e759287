import type { RawAttributes } from './head-reader.js';
import { KEPT_ATTRIBUTES } from './kept-markup.js';

const INVISIBLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu;
/** Where React puts what it streams, until its script moves it into its place. */
const STREAMED = /^[SB]:/u;

/** A tag with the attributes that are read; styles are reduced to whether they hide it. */
export function writtenTag(name: string, attributes: RawAttributes): string {
  const kept = [...attributes]
    .filter(([key]) => key !== 'hidden' && KEPT_ATTRIBUTES.has(key))
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${kept.join('')}${isHidden(attributes) ? ' hidden=""' : ''}>`;
}

function isHidden(attributes: RawAttributes): boolean {
  const hides = attributes.has('hidden') || INVISIBLE.test(attributes.get('style') ?? '');
  return hides && !STREAMED.test(attributes.get('id') ?? '');
}
