import { webAddress } from '../dom/address.js';
import { linkOf, metaOf } from '../markup/head-facts.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { isNode, ldList, ldText } from './json-ld.js';

const SOURCES: readonly Source<string>[] = [
  ({ facts }) => metaOf(facts, ['og:image', 'og:image:url', 'og:image:secure_url']),
  ({ facts }) => metaOf(facts, ['twitter:image', 'twitter:image:src']),
  ({ main }) =>
    main.map((node) => imageIn(node['image'] ?? node['thumbnailUrl'])).find((src) => src !== ''),
  ({ facts }) => linkOf(facts, 'image_src'),
  ({ facts }) => metaOf(facts, ['thumbnail', 'image', 'sailthru.image.full', 'parsely-image-url']),
];

/** The picture that the page wants to be shown with it, "" when it names none. */
export const topImageOf = (clues: Clues): string =>
  webAddress(firstOf(SOURCES, clues) ?? '', clues.url.href);

function imageIn(value: unknown): string {
  const [first] = ldList(value);
  return isNode(first) ? ldText(first['url'] ?? first['contentUrl']) : ldText(first);
}
