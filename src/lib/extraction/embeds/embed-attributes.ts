import { decodeHTMLAttribute } from 'entities';

import type { RawAttributes } from '../markup/head-reader.js';
import { knownPlayerOf, PLAYER_HOSTS } from '../media/players.js';
import { percentDecoded } from '../plain-text.js';

const YOUTUBE = 'https://www.youtube.com/embed/';
const VIMEO = 'https://player.vimeo.com/video/';

/** Elements that embed a post or a video by its id: the attribute with the id, and the address in front of the id. */
const BY_ID: ReadonlyMap<string, readonly [attribute: string, address: string]> = new Map([
  ['amp-youtube', ['data-videoid', YOUTUBE]],
  ['amp-vimeo', ['data-videoid', VIMEO]],
  ['amp-dailymotion', ['data-videoid', 'https://www.dailymotion.com/embed/video/']],
  ['amp-twitter', ['data-tweetid', 'https://twitter.com/i/status/']],
  ['amp-instagram', ['data-shortcode', 'https://www.instagram.com/p/']],
  ['amp-gist', ['data-gistid', 'https://gist.github.com/']],
  ['amp-soundcloud', ['data-trackid', 'https://api.soundcloud.com/tracks/']],
]);
const ID_NAMES: readonly string[] = [
  ...['videoid', 'video-id', 'data-videoid', 'data-video-id', 'data-id', 'data-video', 'data-key'],
  ...['data-youtube', 'data-youtube-id', 'data-ytid', 'data-yt-id', 'data-vimeo-id'],
];
const YOUTUBE_ID = /^[\w-]{11}$/u;
const VIMEO_ID = /^\d{6,12}$/u;
/** Matches the names of attributes with the address of an embedded post. */
const ADDRESS_NAME = /^(?:data-(?:[\w-]*-)?(?:href|url|uri|permalink|src)|cite|url)$/u;
const ADDRESS = /^https?:\/\/[^\s"'<>]{4,2000}$/iu;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|svg|jfif|bmp)(?:$|[?#!@:/])/iu;
const BUTTON =
  /share|like|follow|button|comment|social|subscribe|fb-page|tooltip|menu|nav|advert/iu;
/** Elements whose own meaning includes an address. */
const NOT_EMBEDS: ReadonlySet<string> = new Set(
  'img source iframe embed object video audio track a input form script link meta html body param area'.split(
    ' ',
  ),
);

/**
 * Returns the address of the player or post into which a script turns an element. Decides by the values of the
 * attributes, because each library has its own names. Returns an empty text for other elements.
 */
export function embeddedAddress(name: string, attributes: RawAttributes): string {
  if (NOT_EMBEDS.has(name) || attributes.size === 0) {
    return '';
  }
  return byElement(name, attributes) || videoById(name, attributes) || addressIn(name, attributes);
}

/** Returns the address of the post or video whose id is in an attribute of an element that `BY_ID` contains. */
function byElement(name: string, attributes: RawAttributes): string {
  const [attribute = '', start = ''] = BY_ID.get(name) ?? [];
  const id = attributes.get(attribute) ?? '';
  return id === '' ? '' : `${start}${id}`;
}

/** Returns the address of a video whose id is in an attribute, if the name or class of the element says "youtube". */
function videoById(name: string, attributes: RawAttributes): string {
  for (const key of ID_NAMES) {
    const value = attributes.get(key) ?? '';
    const label = value === '' ? '' : `${name} ${key} ${attributes.get('class') ?? ''}`;
    const player = playerById(value, label);
    if (player !== '') {
      return player;
    }
  }
  return '';
}

/** Returns the address of the player for the id of a video, if the label contains the name of the site. */
function playerById(id: string, label: string): string {
  if (YOUTUBE_ID.test(id) && /youtube|\byt/iu.test(label)) {
    return `${YOUTUBE}${id}`;
  }
  return VIMEO_ID.test(id) && /vimeo/iu.test(label) ? `${VIMEO}${id}` : '';
}

/**
 * Returns the address of the first known player in the attributes of an element. Without a player, returns the first
 * address of an embedded post, unless the element is a button or a quotation.
 */
function addressIn(name: string, attributes: RawAttributes): string {
  let found = '';
  for (const [key, raw] of attributes) {
    if (!mayHaveAddress(key, raw)) {
      continue;
    }
    const value = decodeHTMLAttribute(raw).replaceAll('\\/', '/').trim();
    const player = playerIn(value);
    if (player !== '') {
      return player;
    }
    found ||= isPostAddress(key, value) ? value : '';
  }
  return isButton(attributes) || isQuotation(name, attributes) ? '' : found;
}

const mayHaveAddress = (key: string, value: string): boolean =>
  value.length >= SHORTEST && (key.startsWith('data-') || ADDRESS_NAME.test(key));

const isPostAddress = (key: string, value: string): boolean =>
  ADDRESS_NAME.test(key) && ADDRESS.test(value) && !PICTURE.test(value);

const isButton = (attributes: RawAttributes): boolean =>
  BUTTON.test(`${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`);

/** Returns true for a plain quotation. The quotations that a script turns into a post have a class. */
const isQuotation = (name: string, attributes: RawAttributes): boolean =>
  name === 'blockquote' && !attributes.has('class');

const SHORTEST = 8;
const WEB_ADDRESS = /(?:https?:)?\/\/[^\s"'<>\\]{4,2000}/giu;
const MOST = 20;

/** Returns the first address of a known player in the value of an attribute, which may be JSON. */
function playerIn(value: string): string {
  if (!PLAYER_HOSTS.test(value)) {
    return '';
  }
  const addresses = [...value.slice(0, LONGEST).matchAll(WEB_ADDRESS)].slice(0, MOST);
  return (
    addresses
      .map(([address]) => (address.startsWith('//') ? `https:${address}` : address))
      .find((address) => knownPlayerOf(address) !== undefined) ?? ''
  );
}

const LONGEST = 4_096;

/** Scripts that write a document into the page: the address of the script, and the address of the document. */
const SCRIPTS: readonly (readonly [script: RegExp, document: string])[] = [
  [
    /^(?:https?:)?\/\/(gist\.github\.com\/[\w-]+\/\w+|gist\.github\.com\/\w+)\.(?:js|json|pibb)\b.*$/iu,
    'https://$1',
  ],
  [/^(?:https?:)?\/\/([\w.-]*gitlab[\w.-]*\/(?:[\w/-]*\/)?snippets\/\d+)\.js\b.*$/iu, 'https://$1'],
  [/^(?:https?:)?\/\/(asciinema\.org\/a\/\w+)\.js\b.*$/iu, 'https://$1'],
  [
    /^(?:https?:)?\/\/pastebin\.com\/embed_js\/(\w+)(?:$|[^\w\n\r\u2028\u2029].*$)/iu,
    'https://pastebin.com/$1',
  ],
  [/^(?:https?:)?\/\/(jsfiddle\.net\/(?:[\w-]+\/){1,3})embed\b.*$/iu, 'https://$1'],
  [
    /^(?:https?:)?\/\/(?:www\.)?emgithub\.com\/embed[\w.-]*\?(?:.*&)?target=([^&]+)(?:$|&.*$)/iu,
    '$1',
  ],
  [/^(?:https?:)?\/\/(datawrapper\.dwcdn\.net\/\w+)\/(?:\d+\/)?embed\.js\b.*$/iu, 'https://$1/'],
  [/^(?:https?:)?\/\/(www\.buzzsprout\.com\/\d+\/(?:episodes\/)?[\w-]+)\.js\b.*$/iu, 'https://$1'],
];

/**
 * Returns the address of the document that a script writes into the page at its place, such as a gist. Returns an empty
 * text for other scripts.
 */
export function scriptedDocument(src: string): string {
  const address = decodeHTMLAttribute(src).trim();
  const known = SCRIPTS.find(([script]) => script.test(address));
  const document = known ? address.replace(known[0], known[1]) : '';
  return /^https%3a/iu.test(document) ? percentDecoded(document) : document;
}
