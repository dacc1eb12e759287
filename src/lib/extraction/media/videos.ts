import { attribute, type DomElement, eachElement, labelOf, webAddress } from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import type { Clues } from '../metadata/clues.js';
import { type LdNode, ldText, ldTypes } from '../metadata/json-ld.js';
import type { PageVideo } from '../page-content.js';
import { type Played, playerOf, VideoType } from './players.js';

type Video = Omit<PageVideo, 'position'>;

const MOST = 50;
const OUTSIDE: ReadonlySet<string> = new Set('nav footer aside header'.split(' '));
const OTHERS =
  /(?:^|[\s_-])(?:related|recommended|sidebar|comments?|promo|advert\w*|teasers?)(?:$|[\s_-])/iu;

/** Returns the videos that the body of a page shows, in page order: embedded players, HTML videos and Flash. */
export function videosOf(body: DomElement, base: string): PageVideo[] {
  const found = new Map<string, PageVideo>();
  eachElement(body, (element) => {
    if (OUTSIDE.has(element.localName) || OTHERS.test(labelOf(element))) {
      return false;
    }
    const video = READERS[element.localName]?.(element, base);
    if (video && found.size < MOST) {
      const key = video.vid === '' ? video.src : `${video.type} ${video.vid}`;
      found.set(key, found.get(key) ?? { ...video, position: found.size + 1 });
    }
    return true;
  });
  return [...found.values()];
}

type Reader = (element: DomElement, base: string) => Video | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  iframe: (element, base) =>
    played(element, attribute(element, 'src') || attribute(element, 'data-src'), base),
  embed: (element, base) => flashOr(element, attribute(element, 'src'), base),
  object: (element, base) => flashOr(element, movieOf(element), base),
  video: (element, base) => fileOf(element, base),
  'video-js': (element, base) => fileOf(element, base),
  'amp-youtube': (element) => youTube(element, attribute(element, 'data-videoid')),
  'lite-youtube': (element) => youTube(element, attribute(element, 'videoid')),
  div: (element) => youTube(element, attribute(element, 'data-youtube-id')),
};

const sized = (element: DomElement): { width: number; height: number; length: number } => ({
  width: Number(/^\d{1,5}/u.exec(attribute(element, 'width'))?.[0] ?? 0),
  height: Number(/^\d{1,5}/u.exec(attribute(element, 'height'))?.[0] ?? 0),
  length: 0,
});

function played(element: DomElement, href: string, base: string): Video | undefined {
  const src = webAddress(href, base);
  const player = playerOf(src);
  return player && { src, ...player, ...sized(element) };
}

const youTube = (element: DomElement, vid: string): Video | undefined =>
  vid === ''
    ? undefined
    : played(element, `https://www.youtube.com/embed/${vid}`, 'https://www.youtube.com/');

function flashOr(element: DomElement, href: string, base: string): Video | undefined {
  const src = webAddress(href, base);
  const flash: Played | undefined = /\.swf(?:$|[?#])/iu.test(src)
    ? { type: VideoType.flash, vid: '' }
    : undefined;
  const player = playerOf(src) ?? flash;
  return player && { src, ...player, ...sized(element) };
}

const movieOf = (element: DomElement): string =>
  attribute(element, 'data') ||
  [...element.querySelectorAll('param')]
    .filter((param) => /^(?:movie|src)$/iu.test(attribute(param, 'name')))
    .map((param) => attribute(param, 'value'))
    .join('');

function fileOf(element: DomElement, base: string): Video | undefined {
  const [account, id] = [attribute(element, 'data-account'), attribute(element, 'data-video-id')];
  if (/^\d+$/u.test(account) && id !== '') {
    const src = `https://players.brightcove.net/${account}/default_default/index.html?videoId=${encodeURIComponent(id)}`;
    return { src, type: VideoType.brightcove, vid: id, ...sized(element) };
  }
  const source = element.querySelector('source[src]');
  const src = webAddress(
    attribute(element, 'src') || (source ? attribute(source, 'src') : ''),
    base,
  );
  return src === '' ? undefined : { src, type: VideoType.html5, vid: '', ...sized(element) };
}

/** Returns the video that is the main content of a page. Returns undefined if the page is not a video page. */
export function videoOfPage(clues: Clues): PageVideo | undefined {
  const { url, facts, main } = clues;
  const own = playerOf(url.href);
  if (!own && !/^video/iu.test(metaOf(facts, ['og:type']))) {
    return undefined;
  }
  const node = main.find((one) => ldTypes(one).includes('VideoObject'));
  const src = fileOfPage(clues, node) || url.href;
  return {
    src,
    ...(own ?? playerOf(src) ?? { type: VideoType.html5, vid: '' }),
    width: pixels(metaOf(facts, ['og:video:width'])),
    height: pixels(metaOf(facts, ['og:video:height'])),
    length: lengthOf(node) || seconds(metaOf(facts, DURATIONS)),
    position: 1,
  };
}

const DURATIONS = ['video:duration', 'og:video:duration', 'duration'];

function fileOfPage({ url, facts }: Clues, node: LdNode | undefined): string {
  const file = metaOf(facts, ['og:video:secure_url', 'og:video:url', 'og:video']);
  return webAddress(file || ldText(node?.['embedUrl'] ?? node?.['contentUrl']), url.href);
}

const pixels = (text: string): number => (/^\d{1,5}$/u.test(text) ? Number(text) : 0);

const lengthOf = (node: LdNode | undefined): number => seconds(ldText(node?.['duration']));

const PERIOD = /^P(?:(\d{1,3})D)?T?(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,7})(?:\.\d+)?S)?$/iu;

/** Parses a duration and returns it in seconds. The text is a number of seconds or an ISO 8601 duration. */
export function seconds(text: string): number {
  if (/^\d{1,7}$/u.test(text)) {
    return Number(text);
  }
  const [, days = 0, hours = 0, minutes = 0, rest = 0] = PERIOD.exec(text) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
}

/** Returns the videos together with the durations that the page declares in its JSON-LD. */
export function withLengths(
  videos: readonly PageVideo[],
  graph: readonly LdNode[],
): readonly PageVideo[] {
  if (videos.length === 0) {
    return videos;
  }
  const told = toldLengths(graph);
  return videos.map((video) => {
    const found = [told.get(video.src), video.vid === '' ? undefined : told.get(video.vid)].flatMap(
      (one) => one ?? [],
    );
    const first = found.sort((one, other) => one.order - other.order)[0];
    return first ? { ...video, length: first.length } : video;
  });
}

interface Told {
  readonly order: number;
  readonly length: number;
}

/**
 * Returns the durations of videos in JSON-LD, keyed by the address of the video and by the id of the video. If two
 * objects declare a duration for the same video, the first object wins.
 */
function toldLengths(graph: readonly LdNode[]): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  const nodes = graph.filter((node) => ldTypes(node).includes('VideoObject'));
  for (const [order, node] of nodes.entries()) {
    const one = { order, length: lengthOf(node) };
    for (const key of [node['embedUrl'], node['contentUrl'], node['url']].flatMap(namesOf)) {
      told.set(key, told.get(key) ?? one);
    }
  }
  return told;
}

/** The maximum length of a video's address in characters. Longer addresses contain embedded data. */
const LONGEST = 4_096;

function namesOf(value: unknown): string[] {
  const address = ldText(value);
  if (address === '' || address.length > LONGEST) {
    return [];
  }
  const vid = playerOf(address)?.vid ?? '';
  return vid === '' ? [address] : [address, vid];
}
