import {
  attribute,
  type DomElement,
  type DomNode,
  eachElement,
  firstBelow,
  isElement,
  isText,
  squeezed,
  startOf,
  webAddress,
} from '../dom.js';
import { knownPlayerOf } from '../media/players.js';
import { mayBelong, pageOf } from './embed-address.js';

/**
 * The start of the value that the attribute `data-embed` of a frame has. The frame represents embedded content, and the
 * title of the content follows.
 */
const MARK = 'embed:';

/** Matches the attribute with which Readability recognises the frames that it keeps. */
export const EMBED_MARK = /^embed:/u;

/**
 * Puts a frame into the place of each embedded player or post: of an `<object>`, an `<embed>`, or an element that a
 * script fills. All frames that may belong to the article get a mark. `embedLinks` later replaces the marked frames.
 */
export function markEmbeds(body: DomElement): void {
  const found: DomElement[] = [];
  const recordings: DomElement[] = [];
  eachElement(body, (element) => {
    const isEmbed = EMBEDS.has(element.localName) || element.hasAttribute('data-embed-url');
    if (isEmbed) {
      found.push(element);
    } else if (RECORDINGS.has(element.localName)) {
      recordings.push(element);
    }
    return element.localName !== 'object';
  });
  found.forEach(markEmbed);
  recordings.forEach(keepRecording);
}

const RECORDINGS: ReadonlySet<string> = new Set(['audio', 'video']);

/** Adds a marked frame to a recording, because Readability removes paragraphs that contain only a recording. */
function keepRecording(recording: DomElement): void {
  const frame = recording.ownerDocument.createElement('iframe');
  frame.setAttribute('data-embed', MARK);
  recording.appendChild(frame);
}

const EMBEDS: ReadonlySet<string> = new Set(['iframe', 'embed', 'object']);

function markEmbed(element: DomElement): void {
  const { localName } = element;
  if (localName === 'iframe') {
    mark(element, titleOf(element));
  } else if (EMBEDS.has(localName)) {
    const frame = frameFor(element, documentOf(element));
    if (frame !== undefined) {
      element.replaceWith(frame);
    }
  } else {
    fill(element);
  }
}

/** Elements inside an `<object>` that have the address of its document. */
const DOCUMENTS: ReadonlySet<string> = new Set(['embed', 'iframe', 'a']);
/** Matches the addresses of Flash films, which no browser can play. */
const FLASH = /\.swf(?:$|[?#])/iu;

/** Returns the address of the document that an `<object>` or `<embed>` shows, or of a link to it inside the element. */
function documentOf(element: DomElement): string {
  const [inside] = firstBelow(element, 1, ({ localName }) => DOCUMENTS.has(localName));
  const address =
    attribute(element, 'data') ||
    attribute(element, 'src') ||
    (inside ? attribute(inside, 'src') || attribute(inside, 'href') : '');
  return FLASH.test(address) ? '' : address;
}

/** Adds a frame to an element that a script fills, unless the element already shows or links to the same content. */
function fill(element: DomElement): void {
  const address = attribute(element, 'data-embed-url');
  const isFilled =
    element.querySelector('iframe, video, audio') !== null ||
    (knownPlayerOf(address) === undefined &&
      (element.localName === 'blockquote' ? hasLinkTo(element, address) : !isBare(element)));
  const frame = isFilled ? undefined : frameFor(element, address);
  if (frame !== undefined) {
    element.appendChild(frame);
  }
}

const MOST_LINKS = 20;

/** Returns true if an element contains a link to the address and also text outside of links. */
function hasLinkTo(element: DomElement, address: string): boolean {
  const links = linksIn(element);
  const linked = links.reduce((sum, link) => sum + squeezedStart(link).length, 0);
  return (
    links.some((link) => samePage(attribute(link, 'href'), address)) &&
    squeezedStart(element).length > linked + FEW
  );
}

const FEW = 40;
const LONGEST_READ = 10_000;

const squeezedStart = (element: DomElement): string => squeezed(startOf(element, LONGEST_READ));

const linksIn = (element: DomElement): DomElement[] =>
  firstBelow(element, MOST_LINKS, ({ localName }) => localName === 'a');

const samePage = (one: string, other: string): boolean => pathOf(one) === pathOf(other);

const pathOf = (address: string): string =>
  (address.split(/[?#]/u, 1)[0] ?? '').replace(/\/$/u, '');

/** Returns true if an element contains neither text nor media. */
export function isBare(element: DomElement): boolean {
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (hasContent(node)) {
      return false;
    }
  }
  return true;
}

/** Returns true if a node is text or media, or contains them. The caption of a figure does not count. */
function hasContent(node: DomNode): boolean {
  if (isText(node)) {
    return /\S/u.test(node.textContent ?? '');
  }
  return (
    isElement(node) &&
    (MEDIA.has(node.localName) || (node.localName !== 'figcaption' && !isBare(node)))
  );
}

const MEDIA: ReadonlySet<string> = new Set(
  'img iframe video audio object embed noscript'.split(' '),
);

function frameFor(element: DomElement, address: string): DomElement | undefined {
  if (address === '') {
    return undefined;
  }
  const frame = element.ownerDocument.createElement('iframe');
  for (const name of ['width', 'height'].filter((one) => element.hasAttribute(one))) {
    frame.setAttribute(name, attribute(element, name));
  }
  const title = titleOf(element);
  if (title !== '') {
    frame.setAttribute('title', title);
  }
  frame.setAttribute('src', address);
  mark(frame, title);
  return frame;
}

function mark(frame: DomElement, title: string): void {
  const isTiny = ['width', 'height'].some((name) => /^[0-3](?:px)?$/u.test(attribute(frame, name)));
  const src = webAddress(attribute(frame, 'src'), BASE);
  if (!isTiny && src !== '' && !frame.hasAttribute('hidden') && mayBelong(src)) {
    frame.setAttribute('data-embed', `${MARK}${title}`);
  }
}

/** A base for relative addresses that are only checked. */
const BASE = 'https://page.invalid/';
const LONGEST_TITLE = 200;

/** Returns the title of embedded content: the title of its element, or the last line of its text. */
function titleOf(element: DomElement): string {
  const stated = ['title', 'aria-label', 'alt', 'playlabel', 'data-title'].map((name) =>
    attribute(element, name).trim(),
  );
  const title = stated.find((one) => one !== '' && !GENERAL.test(one));
  return (title ?? lastLinkOf(element)).slice(0, LONGEST_TITLE);
}

/** Matches titles that only say that the element is a frame. */
const GENERAL =
  /^(?:iframe|frame|embed(?:ded)?(?: content| video| player)?|video player|youtube video player|content|untitled)$/iu;

function lastLinkOf(element: DomElement): string {
  const last = linksIn(element).at(-1);
  return last ? squeezedStart(last) : '';
}

/** Elements in which a paragraph is not allowed. */
const INLINE_PARENTS = /^(?:p|span|a|em|strong|b|i|h[1-6]|dt|summary|figcaption)$/u;

/**
 * Replaces each marked frame, except known players, with a link to the page that shows the same content. The link has
 * the title of the content and the name of its site.
 */
export function embedLinks(article: DomElement, base: string): void {
  const frames = [...article.querySelectorAll('iframe')].filter((frame) =>
    EMBED_MARK.test(attribute(frame, 'data-embed')),
  );
  for (const frame of frames) {
    const src = webAddress(attribute(frame, 'src'), base);
    const page = knownPlayerOf(src) === undefined && src !== '' ? pageOf(src) : '';
    if (page !== '' && isLinkedBefore(frame, page)) {
      frame.remove();
    } else if (page !== '') {
      removeBareLink(frame, page);
      frame.replaceWith(linkFor(frame, page));
    }
  }
}

/** Returns true if the element before a frame links to the same page. Many sites write such a link for old browsers. */
function isLinkedBefore(frame: DomElement, page: string): boolean {
  const before = frame.previousElementSibling;
  const links = before === null ? [] : linksIn(before);
  return links.some((link) => samePage(attribute(link, 'href'), page));
}

/** Removes a link to the same page just before a frame, if the link for the frame has the same text. */
function removeBareLink(frame: DomElement, page: string): void {
  const before = frame.previousElementSibling;
  if (
    before?.localName === 'a' &&
    samePage(attribute(before, 'href'), page) &&
    squeezed(startOf(before, LONGEST_TITLE)) === titleIn(frame) &&
    before.querySelector('img') === null
  ) {
    before.remove();
  }
}

const titleIn = (frame: DomElement): string =>
  attribute(frame, 'data-embed').slice(MARK.length).trim();

function linkFor(frame: DomElement, href: string): DomElement {
  const title = titleIn(frame);
  const link = frame.ownerDocument.createElement('a');
  link.setAttribute('href', href);
  link.textContent = labelFor(title, new URL(href));
  if (INLINE_PARENTS.test(frame.parentElement?.localName ?? '')) {
    return link;
  }
  const paragraph = frame.ownerDocument.createElement('p');
  paragraph.appendChild(link);
  return paragraph;
}

/** The maximum length of an address that is the label of its link. Longer addresses are shortened to the site. */
const LONGEST_LABEL = 60;

function labelFor(title: string, { hostname, pathname }: URL): string {
  const site = hostname.replace(/^www\./u, '');
  if (title !== '') {
    return title.includes(site) ? title : `${title} (${site})`;
  }
  const address = `${site}${pathname.replace(/\/$/u, '')}`;
  return address.length <= LONGEST_LABEL ? address : site;
}
