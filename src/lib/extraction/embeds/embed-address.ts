import { parsedUrl } from '../../util/parsed-url.js';

/**
 * Matches the hosts of frames that are not part of an article: advertising, measuring, consent, tests for robots,
 * newsletters and comments.
 */
const OTHER_HOSTS =
  /(?:^|\.)(?:doubleclick|googlesyndication|googletagmanager|googletagservices|google-analytics|adnxs|amazon-adsystem|taboola|outbrain|criteo|teads|zergnet|revcontent|mgid|disqus|livefyre|openweb|spot\.im|hyvor|recaptcha|hcaptcha|cookiebot|onetrust|privacy-mgmt|sp-prod|trustarc|mailchimp|list-manage|convertkit|beehiiv|hsforms|hubspot|addthis|sharethis|addtoany|scorecardresearch|quantserve|piano|poool|intercom|drift|tawk|challenges\.cloudflare)\.(?:\w{2,12}\.)?\w{2,12}$|^(?:ads?|adserver|adservice|accounts|consent|cmp|tracking|pixel|login|auth|secure-payments)\./iu;
/** Matches the paths of buttons and forms of sites that also have embedded posts. */
const OTHER_PATHS =
  /facebook\.com\/(?:v[\d.]+\/)?(?:plugins\/(?:like|share|comments|page|follow|login|send|group)|tr\b)|twitter\.com\/widgets\/(?:tweet_button|follow|hub|widget_iframe)|substack\.com\/embed|google\.com\/recaptcha|\/(?:ads?|banners?|recaptcha|newsletter|subscribe|signup|login)(?:[/.?]|$)|youtube\.com\/subscribe_embed|github\.com\/(?:sponsors|buttons)/iu;

/** Returns true if the frame at this address may be part of an article. */
export function mayBelong(address: string): boolean {
  const url = parsedUrl(address);
  return url !== undefined && !OTHER_HOSTS.test(url.hostname) && !OTHER_PATHS.test(address);
}

/** Players and the pages that show the same content. Some players show only an error if they are opened as a page. */
const PAGES: readonly (readonly [player: RegExp, page: string])[] = [
  [/^(https:\/\/[^/]+)\/videos\/embed\/([\w-]{10,40})(?:$|[?#].*$)/u, '$1/videos/watch/$2'],
  [/^(https:\/\/codepen\.io\/[\w-]+)\/embed\/(?:preview\/)?([\w-]+)(?:$|[?#/].*$)/u, '$1/pen/$2'],
  [/^(https:\/\/open\.spotify\.com)\/embed(?:-podcast)?\/(\w+\/\w+)(?:$|[?#].*$)/u, '$1/$2'],
  [/^https:\/\/embed\.(podcasts|music)\.apple\.com\//u, 'https://$1.apple.com/'],
  [/^(https:\/\/www\.instagram\.com\/(?:p|reel|tv)\/[\w-]+\/)embed\b.*$/u, '$1'],
  [
    /^https:\/\/platform\.twitter\.com\/embed\/\w+\.html\?(?:.*&)?id=(\d+)(?:$|\D.*$)/u,
    'https://twitter.com/i/status/$1',
  ],
  [
    /^https:\/\/embed\.bsky\.app\/embed\/(did:[\w:.]+)\/app\.bsky\.feed\.post\/(\w+)(?:$|\W.*$)/u,
    'https://bsky.app/profile/$1/post/$2',
  ],
  [/^(https:\/\/[^/]+\/(?:@[^/]+\/\d+|users\/[^/]+\/statuses\/\d+))\/embed\b.*$/u, '$1'],
];
/** Parameters with which a player receives the address of the page whose content it plays. */
const PAGE_PARAMETERS = ['url', 'href'];
const PLAYER_PATH = /embed|player|plugins|widget/iu;

/** Returns the address of the page that shows the same content as an embedded player. Returns other addresses unchanged. */
export function pageOf(address: string): string {
  const page = PAGES.find(([player]) => player.test(address));
  if (page !== undefined) {
    return address.replace(page[0], page[1]);
  }
  const url = parsedUrl(address);
  const played = PAGE_PARAMETERS.map((name) => url?.searchParams.get(name) ?? '').find((one) =>
    /^https?:\/\//u.test(one),
  );
  return played !== undefined && PLAYER_PATH.test(address) ? played : address;
}
