import { parsedUrl } from '../../util/parsed-url.js';
import { percentDecoded } from '../plain-text.js';

/** The types of videos. The API represents each type by its number (docs/api/get.md). */
export const VideoType = {
  youTube: 1,
  vimeoLink: 2,
  vimeoFlash: 3,
  vimeoFrame: 4,
  html5: 5,
  flash: 6,
  frame: 7,
  brightcove: 8,
  dailymotion: 9,
} as const;

export interface Played {
  readonly type: number;
  readonly vid: string;
}

interface Player {
  readonly host: RegExp;
  readonly type: number;
  /**
   * Matches the part of a player's address that contains the id of the video. An address without such an id is not the
   * address of a player.
   */
  readonly vid: RegExp;
}

const { youTube, vimeoLink, vimeoFlash, vimeoFrame, frame, brightcove, dailymotion } = VideoType;

/** The known video players. If several players match an address, the first one is used. */
const PLAYERS: readonly Player[] = [
  {
    host: /(?:^|\.)youtube(?:-nocookie)?\.com$/u,
    type: youTube,
    vid: /^\/(?:(?:embed|v|e|shorts|live)\/|(?:watch|watch_popup)?\/?\?(?:.*&)?v=)(?!videoseries)([\w-]{11})(?![\w-])/u,
  },
  { host: /^youtu\.be$/u, type: youTube, vid: /^\/([\w-]{11})(?![\w-])/u },
  {
    host: /(?:^|\.)youtube(?:-nocookie)?\.com$/u,
    type: frame,
    vid: /^\/embed\/?(?:videoseries)?\?(?:.*&)?list=([\w-]+)/u,
  },
  { host: /^player\.vimeo\.com$/u, type: vimeoFrame, vid: /^\/video\/(\d+)/u },
  {
    host: /(?:^|\.)vimeo\.com$/u,
    type: vimeoFlash,
    vid: /^\/moogaloop\.swf\?(?:.*&)?clip_id=(\d+)/u,
  },
  {
    host: /^(?:www\.)?vimeo\.com$/u,
    type: vimeoLink,
    vid: /^\/(?:channels\/[\w-]+\/|groups\/[\w-]+\/videos\/)?(\d{5,})/u,
  },
  {
    host: /(?:^|\.)dailymotion\.com$/u,
    type: dailymotion,
    vid: /^\/(?:embed\/|swf\/)?(?:video\/|player[\w-]*(?:\/[\w-]+)?(?:\.html)?\?(?:.*&)?video=)([a-z0-9]+)/iu,
  },
  { host: /^dai\.ly$/u, type: dailymotion, vid: /^\/([a-z0-9]+)/iu },
  {
    host: /(?:^|\.)brightcove\.(?:net|com)$/u,
    type: brightcove,
    vid: /[?&](?:videoId|bctid|%40videoPlayer)=((?:ref(?::|%3A))?[\w-]+)/u,
  },
  { host: /^player\.twitch\.tv$/u, type: frame, vid: /[?&](?:video|channel|collection)=(\w+)/u },
  { host: /^clips\.twitch\.tv$/u, type: frame, vid: /^\/embed\?(?:.*&)?clip=([\w-]+)/u },
  { host: /^embed\.ted\.com$/u, type: frame, vid: /^\/(?:talks\/)?([\w/]+)/u },
  { host: /(?:^|\.)wistia\.(?:net|com)$/u, type: frame, vid: /^\/embed\/iframe\/(\w+)/u },
  {
    host: /(?:^|\.)facebook\.com$/u,
    type: frame,
    vid: /^\/plugins\/video\.php\?(?:.*&)?href=(?:[^&\d]|\d{1,5}(?!\d))*(\d{6,})/u,
  },
  { host: /^streamable\.com$/u, type: frame, vid: /^\/[a-z]\/(\w+)/u },
  { host: /(?:^|\.)(?:jwplatform|jwplayer)\.com$/u, type: frame, vid: /^\/players\/(\w+)/u },
  { host: /^(?:www\.)?loom\.com$/u, type: frame, vid: /^\/embed\/(\w+)/u },
  { host: /^archive\.org$/u, type: frame, vid: /^\/embed\/([^/?#]+)/u },
  { host: /^player\.bilibili\.com$/u, type: frame, vid: /[?&]bvid=(\w+)/u },
  { host: /^v\.qq\.com$/u, type: frame, vid: /[?&]vid=(\w+)/u },
  { host: /^rutube\.ru$/u, type: frame, vid: /^\/(?:play\/embed|video\/embed)\/(\w+)/u },
  { host: /^(?:vk\.com|vkvideo\.ru)$/u, type: frame, vid: /^\/video_ext\.php\?(?:.*&)?id=(\d+)/u },
  { host: /^ok\.ru$/u, type: frame, vid: /^\/videoembed\/(\d+)/u },
  {
    host: /^players?\.arte\.tv$|^www\.arte\.tv$/u,
    type: frame,
    vid: /^\/(?:embeds\/|player\/)(?:.*?[^\d-])?([\d-]*\d-[A-Z])/u,
  },
];

/**
 * The player of PeerTube, a program that anyone can host. The API lists the videos of this player,
 * but articles embed only players from known hosts.
 */
const ANYWHERE: Player = { host: /./u, type: frame, vid: /^\/videos\/embed\/([\w-]{20,36})/u };

/**
 * Returns the video that the player at this address plays. Returns undefined if the address is not the address of a
 * player.
 */
export const playerOf = (address: string): Played | undefined =>
  playedBy([...PLAYERS, ANYWHERE], address);

/**
 * Returns the video that the player at this address plays. Returns undefined if the host is not the host of a known
 * player.
 */
export const knownPlayerOf = (address: string): Played | undefined => playedBy(PLAYERS, address);

function playedBy(players: readonly Player[], address: string): Played | undefined {
  const url = parsedUrl(address);
  if (!url) {
    return undefined;
  }
  const rest = url.pathname + url.search;
  for (const { host, type, vid } of players) {
    const found = host.test(url.hostname) ? vid.exec(rest)?.[1] : undefined;
    if (found !== undefined) {
      return { type, vid: percentDecoded(found) };
    }
  }
  return undefined;
}

/**
 * Matches addresses that may belong to video players. The article finder Readability keeps elements with such
 * addresses.
 */
export const PLAYER_HOSTS =
  /\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|dai\.ly|brightcove\.(?:net|com)|twitch\.tv|embed\.ted\.com|wistia\.(?:net|com)|facebook\.com\/plugins\/video|streamable\.com|jwplatform\.com|jwplayer\.com|loom\.com|archive\.org|wikimedia\.org|bilibili\.com|v\.qq\.com|rutube\.ru|vk\.com|vkvideo\.ru|ok\.ru|arte\.tv)|\/videos\/embed\/|^embed:/iu;
