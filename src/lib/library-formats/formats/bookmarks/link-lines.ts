import type { ItemParts } from '../../reading/item-from.js';
import { textAfterAddress } from '../../reading/text-after-address.js';

/** The links that a line of a text file contains. */
interface LinkLine {
  readonly links: readonly ItemParts[];
  /** True if the line also contains words that do not belong to a link, a title or a tag. */
  readonly hasOtherWords: boolean;
}

const LIST_MARKER = /^(?:[-*+•>]|\d{1,4}[.)])\s+/;
const TASK = /^\[([ x])\]\s*/i;
/** Matches a line that consists only of a URL. The URL needs no scheme if its host contains a dot. */
const URL_ONLY =
  /^(?:https?:\/\/(?:(?!,https?:\/\/)\S)+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?)$/iu;
/** Matches `URL | title`, which OneTab writes for each tab. The title may contain any characters. */
const ONE_TAB = /^([a-z][a-z\d+.-]*:\S+) \| (.*)$/i;
/**
 * Matches a URL with any scheme within a line. The URL ends before a blank, an angle bracket or a quote, and before a
 * comma that precedes another URL.
 */
const URL_WITHIN =
  /(?:view-source:|about:reader\?url=|\b)[a-z][a-z\d+.-]{0,30}:\/\/(?:(?!,https?:\/\/)[^\s<>"])+/gi;
/**
 * Matches a picture in Markdown. Each picture is replaced with its alternative text before links
 * are searched, because a link can contain a picture.
 */
const MARKDOWN_PICTURE = /!\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?: "[^"]{0,500}")?\)/g;
/**
 * Matches a Markdown link such as `[text](URL "tooltip")`. The URL may contain pairs of round brackets. If the URL is
 * in angle brackets, it may also contain blanks.
 */
const MARKDOWN_LINK =
  /(?<!\\)\[((?:[^[\]\\]|\\.){0,2000})\]\(\s{0,9}(<[a-z][a-z\d+.-]*:[^<>]{1,4000}>|[a-z][a-z\d+.-]*:(?:[^\s<>()]|\([^\s<>()]*\))+)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)/gi;
/** Matches `[[URL][text]]`, as Org mode writes links. */
const ORG_LINK = /\[\[([a-z][a-z\d+.-]*:[^\s[\]]+)\](?:\[([^[\]]*)\])?\]/gi;
const TAG = /(?<![^\s,])#(\p{L}[\p{L}\p{N}_/-]*)/gu;
/** Characters that are removed from both ends of a title, because they separate the title from its URL. */
const AROUND_TITLE = ' |:;,=-–—→<>()"\'“”';
const AFTER_URL = '.,;:!?\'"*_';
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[' };
const WORD = /[\p{L}\p{N}]/u;

/**
 * Returns the links in a line of a text file. The line may be an item of a Markdown list, a tab of OneTab, or a
 * sentence with URLs.
 * @param hasTitle - true if a comma or semicolon separates the URL from its title, as in `URL,title`.
 */
export function linksOfLine(line: string, hasTitle = false): LinkLine {
  const { status, text } = withoutListMarkers(line);
  const after = hasTitle ? textAfterAddress(text) : undefined;
  if (after !== undefined) {
    const { tags, words } = tagsAndWords(after);
    const url = text.slice(0, text.length - after.length - 1);
    return { links: [{ url, title: words, tags, status }], hasOtherWords: false };
  }
  if (URL_ONLY.test(text)) {
    return { links: [{ url: text, status }], hasOtherWords: false };
  }
  const [, url, title] = ONE_TAB.exec(text) ?? [];
  if (url !== undefined) {
    return { links: [{ url, title, status }], hasOtherWords: false };
  }
  const marked = linksOfMarkup(text, status);
  return marked.links.length > 0 ? marked : linksAmongWords(text, status);
}

function withoutListMarkers(line: string): { status: 0 | 1 | undefined; text: string } {
  const text = line.trim().replace(LIST_MARKER, '').trim();
  const task = TASK.exec(text);
  return task === null
    ? { status: undefined, text }
    : { status: task[1] === ' ' ? 0 : 1, text: text.slice(task[0].length) };
}

/**
 * Returns the Markdown and Org mode links in a line, with their titles. Each link gets all tags that the line contains.
 */
function linksOfMarkup(line: string, status: 0 | 1 | undefined): LinkLine {
  const links: { readonly url: string; readonly title: string }[] = [];
  const rest = line
    .replaceAll(MARKDOWN_PICTURE, '$1')
    .replaceAll(MARKDOWN_LINK, (_, title: string, url: string) => {
      const address = url.replaceAll(/[<>]/g, '').trim().replaceAll(/\s/g, '%20');
      links.push({ url: address, title: title.replaceAll(/\\(.)/g, '$1') });
      return ' ';
    })
    .replaceAll(ORG_LINK, (_, url: string, title = '') => {
      links.push({ url, title: String(title) });
      return ' ';
    });
  const { tags, words } = tagsAndWords(rest);
  return { links: links.map((link) => ({ ...link, tags, status })), hasOtherWords: words !== '' };
}

/**
 * Returns the URLs among the words of a line. If the line contains only one URL, the words before
 * it become its title, or the words after it if no words precede it.
 */
function linksAmongWords(line: string, status: 0 | 1 | undefined): LinkLine {
  const urls = [...line.matchAll(URL_WITHIN)].map(({ 0: url, index }) => ({
    url: withoutEndOfSentence(url),
    index,
  }));
  const [first, second] = urls;
  if (first === undefined) {
    return { links: [], hasOtherWords: true };
  }
  if (second !== undefined) {
    const { words } = tagsAndWords(line.replaceAll(URL_WITHIN, ' '));
    return { links: urls.map(({ url }) => ({ url, status })), hasOtherWords: words !== '' };
  }
  const before = tagsAndWords(line.slice(0, first.index));
  const after = tagsAndWords(line.slice(first.index + first.url.length));
  const link = {
    url: first.url,
    title: before.words || after.words,
    tags: [...before.tags, ...after.tags],
    status,
  };
  return { links: [link], hasOtherWords: before.words !== '' && after.words !== '' };
}

function tagsAndWords(text: string): { tags: readonly string[]; words: string } {
  const tags = [...text.matchAll(TAG)].map(([, tag = '']) => tag);
  const words = trimmed(text.replaceAll(TAG, ' ').replaceAll(/\s+/g, ' '));
  return { tags, words: WORD.test(words) ? words : '' };
}

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && AROUND_TITLE.includes(text.charAt(start))) {
    start += 1;
  }
  while (end > start && AROUND_TITLE.includes(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}

/**
 * Removes punctuation and closing brackets from the end of a URL if they belong to the sentence that contains the URL.
 */
function withoutEndOfSentence(url: string): string {
  const unopened = new Map(
    Object.entries(OPENING).map(([closing, opening]) => [
      closing,
      countOf(url, closing) - countOf(url, opening),
    ]),
  );
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1);
    const excess = unopened.get(last) ?? 0;
    if (!AFTER_URL.includes(last) && excess <= 0) {
      break;
    }
    unopened.set(last, excess - 1);
  }
  return url.slice(0, end);
}

const countOf = (text: string, character: string): number => text.split(character).length - 1;
