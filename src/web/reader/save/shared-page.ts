import { textOf } from '../../../platform/common/request-fields.js';

/** A page to save, from the address bar, a bookmarklet or the share menu of a phone. */
export interface SharedPage {
  /** The address of the page. Empty if no address was found. */
  readonly url: string;
  readonly title: string;
  readonly tags: string;
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/i;
/** Matches punctuation at the end of an address that belongs to the surrounding sentence, not to the address. */
const SENTENCE_END = /(?<![.,;:!?…])[.,;:!?…]+$/;

/** Parses the fields of a shared page. Apps on phones put the address into the text or into the title. */
export function sharedPage(fields: unknown): SharedPage {
  const [given, text, title] = ['url', 'text', 'title'].map((name) => textOf(fields, name).trim());
  const url = given || addressIn(text) || addressIn(title);
  return {
    url,
    title: title === undefined || title === url ? '' : title,
    tags: textOf(fields, 'tags'),
  };
}

function addressIn(text = ''): string {
  const [found = ''] = WEB_ADDRESS.exec(text) ?? [];
  const url = found.replace(SENTENCE_END, '');
  // The closing bracket is part of `https://example.com/a_(b)`, but not of `(see https://example.com/a)`.
  return url.endsWith(')') && !url.includes('(') ? url.slice(0, -1) : url;
}
