import { attribute, type DomElement, webAddress } from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import type { Clues } from '../metadata/clues.js';
import { type LdNode, ldText, ldTypes } from '../metadata/json-ld.js';

const EPISODES: ReadonlySet<string> = new Set(['PodcastEpisode', 'RadioEpisode', 'AudioObject']);

/**
 * Adds the recording of an episode to the start of its article, if the page declares the recording and the article does
 * not contain it. Otherwise, the page of an episode would lack the episode.
 */
export function addRecording(article: DomElement | undefined, clues: Clues, base: string): void {
  const src = webAddress(declaredRecording(clues), base);
  const first = article?.firstElementChild;
  if (article && first && src !== '' && !hasRecording(article)) {
    const audio = article.ownerDocument.createElement('audio');
    audio.setAttribute('src', src);
    const box = article.ownerDocument.createElement('div');
    first.replaceWith(box);
    box.appendChild(audio);
    box.appendChild(first);
  }
}

const hasRecording = (article: DomElement): boolean =>
  [...article.querySelectorAll('audio, audio source')].some((one) => attribute(one, 'src') !== '');

function declaredRecording({ main, facts }: Clues): string {
  const episode = main.find((node) => ldTypes(node).some((type) => EPISODES.has(type)));
  return (
    (episode === undefined ? '' : recordingOf(episode)) ||
    metaOf(facts, ['og:audio:secure_url', 'og:audio:url', 'og:audio'])
  );
}

function recordingOf(episode: LdNode): string {
  const media = [episode['associatedMedia'], episode['audio'], episode['encoding'], episode].flat();
  return (
    media.map((one) => (isNode(one) ? ldText(one['contentUrl']) : '')).find((one) => one !== '') ??
    ''
  );
}

const isNode = (value: unknown): value is LdNode => typeof value === 'object' && value !== null;
