/** Matches the tags of inline elements. Every other tag ends a line of the text. */
const INLINE =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|rp|rt|ruby|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b/;
const TAG = /<[^<>]*>/g;
const ENTITY = /&(?:amp|lt|gt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** The minimum number of HTML characters that are converted in one step. A step always ends before a tag. */
const PIECE = 65_536;

/**
 * Yields the text of a stored article piece by piece, with one line per paragraph. Decodes only the four entities that
 * sanitize-html writes.
 */
export function* articleText(html: string): Generator<string> {
  for (let from = 0; from < html.length;) {
    const next = html.indexOf('<', from + PIECE);
    const to = next < 0 ? html.length : next;
    yield pieceOfText(html.slice(from, to));
    from = to;
  }
}

const pieceOfText = (html: string): string =>
  html
    .replaceAll(TAG, (tag) => (INLINE.test(tag) ? '' : '\n'))
    .replaceAll(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : blanks));
