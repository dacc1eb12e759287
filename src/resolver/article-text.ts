/** Elements within a line; all others end one. */
const INLINE =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|rp|rt|ruby|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b/;
const TAG = /<[^>]*>/g;
const ENTITY = /&(?:amp|lt|gt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/** The text of a stored article, a line a paragraph. Its HTML is that of sanitize-html, which writes four entities alone. */
export const articleText = (html: string): string =>
  html
    .replaceAll(TAG, (tag) => (INLINE.test(tag) ? '' : '\n'))
    .replaceAll(ENTITY, (entity) => CHARACTERS[entity] ?? entity)
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
