import { textOf } from '../../../platform/common/request-fields.js';

/** A page as the address bar, a bookmarklet or the share menu of a phone hands it over. */
export interface SharedPage {
  /** Empty where there is none. */
  readonly url: string;
  readonly title: string;
  readonly tags: string;
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/i;
/** What ends a sentence behind an address. */
const SENTENCE_END = /(?<![.,;:!?…])[.,;:!?…]+$/;

/** Apps on phones put the address into the text, or into the title. */
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
  // `(see https://example.com/a)` ends before the bracket, `https://example.com/a_(b)` behind it.
  return url.endsWith(')') && !url.includes('(') ? url.slice(0, -1) : url;
}
