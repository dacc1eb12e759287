import sanitize from 'sanitize-html';

import { attribute, type DomElement, eachElement, webAddress } from '../dom.js';
import { embedLinks } from '../embeds/embed-frames.js';
import { isEmbeddedData } from '../media/embedded-pictures.js';
import { knownPlayerOf } from '../media/players.js';
import { keepLocalLinks } from '../preparation/local-links.js';
import { markNote } from './note-boxes.js';

const TAGS = (
  'p br hr h1 h2 h3 h4 h5 h6 blockquote q cite pre code kbd samp var em i strong b u s del ins sub sup small mark ' +
  'abbr dfn time span div section article ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td ' +
  'figure figcaption img a details summary ruby rt rp bdi bdo wbr iframe video audio source'
).split(' ');

const ATTRIBUTES: Record<string, string[]> = {
  '*': ['lang', 'dir', 'id', 'role'],
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'width', 'height', 'data-image', 'loading'],
  iframe: ['src', 'width', 'height', 'title', 'allowfullscreen', 'sandbox', 'loading'],
  video: ['src', 'poster', 'width', 'height', 'controls'],
  audio: ['src', 'controls'],
  source: ['src', 'type'],
  time: ['datetime'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  ol: ['start', 'reversed'],
  li: ['value'],
  span: ['data-formula'],
};

/** Elements whose content is never part of an article's text. */
const SILENT =
  'script style template textarea select option noscript object embed svg math head title xmp noembed noframes plaintext'.split(
    ' ',
  );
const MAX_DEPTH = 256;
/**
 * The value of the `sandbox` attribute of embedded players. A player can run scripts, but has no access to the page
 * around it or to the user's session.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-presentation allow-popups';

type Attributes = Readonly<Record<string, string>>;

/**
 * Returns the HTML of an article that any page can safely show. The HTML contains only allowed elements and attributes,
 * and all addresses are web or mail addresses. Removes elements that are useless without a web address from `article`.
 * `formulas` contains the safe MathML of the formulas in the article, and `page` the number of the page in an article on
 * several pages.
 */
export function articleHtml(
  article: DomElement,
  base: string,
  formulas: readonly string[] = [],
  page = 1,
): string {
  embedLinks(article, base);
  removeLost(article, base);
  keepLocalLinks(article, base, page);
  return withFormulas(sanitisedHtml(article.innerHTML, base), formulas);
}

/** Replaces the text of each formula with the MathML of the formula. The text stays if the MathML is unknown. */
const withFormulas = (html: string, formulas: readonly string[]): string =>
  html.replace(
    /<span data-formula="(\d{1,5})">([^<]*)<\/span>/gu,
    (_, number: string, text: string) => formulas[Number(number)] ?? text,
  );

/**
 * Removes elements that are useless without a web address. The sanitizer would need more time for
 * them, because it copies its whole output for each removed element.
 */
function removeLost(article: DomElement, base: string): void {
  const lost: DomElement[] = [];
  eachElement(article, (element) => {
    markNote(element);
    const isLost =
      LOST[element.localName]?.(webAddress(attribute(element, 'src'), base), element) ?? false;
    if (isLost) {
      lost.push(element);
    }
    return !isLost;
  });
  lost.forEach((element) => {
    element.remove();
  });
}

/**
 * For each kind of element, a function that returns true if an element with the address `src` is
 * useless.
 */
const LOST: Readonly<Record<string, (src: string, element: DomElement) => boolean>> = {
  img: (src, element) => src === '' && !element.hasAttribute('data-embedded'),
  source: (src) => src === '',
  iframe: (src) => knownPlayerOf(src) === undefined,
};

export const sanitisedHtml = (html: string, base: string): string =>
  sanitize(html, {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedClasses: { code: ['language-*'] },
    allowedSchemes: ['http', 'https'],
    allowedSchemesByTag: { a: ['http', 'https', 'mailto'], img: ['http', 'https', 'data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'poster'],
    allowProtocolRelative: false,
    nonTextTags: SILENT,
    nestingLimit: MAX_DEPTH,
    parseStyleAttributes: false,
    transformTags: transforms(base),
  }).trim();

const FRAME = { sandbox: SANDBOX, loading: 'lazy', allowfullscreen: '' };

type Transform = (tag: string, attributes: Attributes) => sanitize.Tag;

function transforms(base: string): Record<string, Transform> {
  const media =
    (extra: Attributes): Transform =>
    (tagName, attributes) => ({
      tagName,
      attribs: { ...absolute(absolute(attributes, 'src', base), 'poster', base), ...extra },
    });
  return {
    '*': (tagName, attributes) => ({ tagName, attribs: withoutForeign(attributes) }),
    a: (tagName, attributes) => ({
      tagName,
      attribs: { ...link(attributes, base), rel: 'noopener noreferrer' },
    }),
    img: (tag, attributes) =>
      isEmbedded(attributes)
        ? { tagName: tag, attribs: { ...attributes, loading: 'lazy' } }
        : media({ loading: 'lazy' })(tag, attributes),
    source: media({}),
    video: media({ controls: '' }),
    audio: media({ controls: '' }),
    iframe: (tagName, attributes) => ({
      tagName,
      attribs: { ...player(attributes, base), ...FRAME },
    }),
  };
}

/** Returns true if the data of a picture is in its address. The extraction marks such pictures. */
const isEmbedded = (attributes: Attributes): boolean =>
  attributes['data-embedded'] !== undefined && isEmbeddedData(attributes['src'] ?? '');

/** Removes ids and roles that `keepLocalLinks` has not set. They could clash with those of the page around the article. */
function withoutForeign({ id, role, ...others }: Attributes): Attributes {
  return {
    ...others,
    ...(id?.startsWith('part-') === true ? { id } : {}),
    ...(role !== undefined && /^(?:note$|doc-)/u.test(role) ? { role } : {}),
  };
}

const link = (attributes: Attributes, base: string): Attributes =>
  /^(?:mailto:[^?]+|#part-[^\s"]+)$/iu.test(attributes['href'] ?? '')
    ? attributes
    : absolute(attributes, 'href', base);

/**
 * Removes the address of a frame that is not a known player. `removeLost` has removed such frames,
 * but the sanitizer may find another frame, because its parser differs from the DOM parser.
 */
function player({ src = '', ...others }: Attributes, base: string): Attributes {
  const address = webAddress(src, base);
  return knownPlayerOf(address) === undefined ? others : { src: address, ...others };
}

/**
 * Replaces the address in an attribute with its absolute form. Removes the attribute if the address is not a web
 * address.
 */
function absolute(attributes: Attributes, name: string, base: string): Attributes {
  const { [name]: value, ...others } = attributes;
  const address = value === undefined ? '' : webAddress(value, base);
  return address === '' ? others : { ...others, [name]: address };
}
