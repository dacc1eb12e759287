import { webAddress } from '../dom/address.js';
import { metaOf } from '../markup/head-facts.js';
import type { Clues } from '../metadata/clues.js';
import { type LdNode, ldText, ldTypes } from '../metadata/json-ld.js';
import type { PageVideo } from '../page-content.js';
import { playerOf, VideoType } from './players.js';

/** The video that a page is about, when it is there to show one; undefined for any other page. */
export function videoOfPage(clues: Clues): PageVideo | undefined {
  const { url, facts, main } = clues;
  const own = playerOf(url.href);
  if (!own && !/^video/iu.test(metaOf(facts, ['og:type']))) {
    return undefined;
  }
  const node = main.find((one) => ldTypes(one).includes('VideoObject'));
  const src = fileOf(clues, node) || url.href;
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

function fileOf({ url, facts }: Clues, node: LdNode | undefined): string {
  const file = metaOf(facts, ['og:video:secure_url', 'og:video:url', 'og:video']);
  return webAddress(file || ldText(node?.['embedUrl'] ?? node?.['contentUrl']), url.href);
}

const pixels = (text: string): number => (/^\d{1,5}$/u.test(text) ? Number(text) : 0);

const lengthOf = (node: LdNode | undefined): number => seconds(ldText(node?.['duration']));

const PERIOD = /^P(?:(\d{1,3})D)?T?(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,7})(?:\.\d+)?S)?$/iu;

/** Seconds, of a number of them or of a period of ISO 8601. */
export function seconds(text: string): number {
  if (/^\d{1,7}$/u.test(text)) {
    return Number(text);
  }
  const [, days = 0, hours = 0, minutes = 0, rest = 0] = PERIOD.exec(text) ?? [];
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
}

/** How long the videos of a page are, where its JSON-LD tells. */
export const withLengths = (
  videos: readonly PageVideo[],
  graph: readonly LdNode[],
): readonly PageVideo[] =>
  videos.map((video) => {
    const node = graph.find(
      (one) =>
        ldTypes(one).includes('VideoObject') &&
        [one['embedUrl'], one['contentUrl'], one['url']].some((value) =>
          isSame(ldText(value), video),
        ),
    );
    return node ? { ...video, length: lengthOf(node) } : video;
  });

const isSame = (address: string, { src, vid }: PageVideo): boolean =>
  address === src || (vid !== '' && playerOf(address)?.vid === vid);
