import { escapeUTF8 } from 'entities';

import { parsedUrl } from '../../lib/util/parsed-url.js';

/** A video or audio recording in an article. */
export interface ShownMedia {
  /** The name of its kind, such as `Video`. */
  readonly kind: string;
  readonly href: string;
  /** The title. It is empty if the article declares no title. */
  readonly title: string;
}

/**
 * The addresses of embedded players, and the addresses of the pages that play the same videos. Some players show only
 * an error if they are opened as a page. Playlists and live streams have the names `videoseries` and `live_stream` in
 * the place of the id of a video.
 */
const PLAYERS: readonly (readonly [player: RegExp, page: string])[] = [
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/videoseries\?(?:.*&)?list=([\w-]{1,64})/i,
    'https://www.youtube.com/playlist?list=',
  ],
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/live_stream\?(?:.*&)?channel=([\w-]{1,64})/i,
    'https://www.youtube.com/channel/',
  ],
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries|live_stream)([\w-]{11})(?![\w-])/i,
    'https://www.youtube.com/watch?v=',
  ],
  // A private video opens only with its hash, which is in the path of the page: https://vimeo.com/76979871/8272103f6e
  [
    /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20})\?(?:.*&)?h=([\da-f]{1,64})(?![^&#])/i,
    'https://vimeo.com/',
  ],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20})(?!\d)/i, 'https://vimeo.com/'],
  [
    /^https?:\/\/(?:www\.)?dailymotion\.com\/embed\/video\/([a-z0-9]{1,20})(?![a-z0-9])/i,
    'https://www.dailymotion.com/video/',
  ],
];

/** Returns the address of the page that plays a video. Returns other addresses unchanged. */
function watchAddress(href: string): string {
  for (const [player, page] of PLAYERS) {
    const [found, ...ids] = player.exec(href) ?? [];
    if (found !== undefined) {
      return `${page}${ids.join('/')}`;
    }
  }
  return href;
}

/**
 * Returns a link in place of a recording or an embedded player. A player would reveal to its site that the user reads
 * the article.
 */
export function mediaLink({ kind, href, title }: ShownMedia): string {
  const address = watchAddress(href);
  const site = parsedUrl(address)?.hostname.replace(/^www\./, '');
  const label = title.trim() || site || address;
  return `<span class="media-link">${escapeUTF8(kind)}: <a href="${escapeUTF8(address)}" rel="noopener noreferrer">${escapeUTF8(label)}</a></span>`;
}
