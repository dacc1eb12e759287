import { textOf } from '../../../platform/common/request-fields.js';
import { withPlainCommas } from '../../../reading-list/list/tag-name.js';

/** A page to save, from the address bar, a bookmarklet or the share menu of a phone. */
export interface SharedPage {
  /** The address of the page. Empty if no address was found. */
  readonly url: string;
  readonly title: string;
  readonly tags: string;
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/i;
/**
 * Matches punctuation directly after an address. The punctuation belongs to the surrounding sentence, not to the
 * address.
 */
const SENTENCE_END = /(?<![.,;:!?…])[.,;:!?…]+$/;

/** Parses the fields of a shared page. Apps on phones often send the address in the field `text` or `title`. */
export function sharedPage(fields: unknown): SharedPage {
  const [given, text, title] = ['url', 'text', 'title'].map((name) => textOf(fields, name).trim());
  const url = given || addressIn(text) || addressIn(title);
  return {
    url,
    title: title === undefined || title === url ? '' : title,
    tags: withPlainCommas(textOf(fields, 'tags')),
  };
}

function addressIn(text = ''): string {
  const [found = ''] = WEB_ADDRESS.exec(text) ?? [];
  const url = found.replace(SENTENCE_END, '');
  // A closing bracket belongs to the address in `https://example.com/a_(b)`, but not in `(see https://example.com/a)`.
  return url.endsWith(')') && !url.includes('(') ? url.slice(0, -1) : url;
}
