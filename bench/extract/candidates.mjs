// Candidates: Satchel, and each library on its own. Each returns the members { text, title, authors, day, image,
// excerpt, lang } that it has, and `html` if its text does not include everything. One converter turns HTML into text.
import { extractPage } from '../../dist/src/lib/extraction/extract-page.js';
import { blocksOf } from '../../dist/src/lib/extraction/text/blocks.js';

const textOf = (root) =>
  blocksOf(root)
    .map((block) => block.text)
    .join('\n');
const day = (text) => {
  const time = Date.parse(text ?? '');
  return /^\d{4}-\d\d-\d\d/u.exec(text ?? '')?.[0] ?? (time ? new Date(time).toISOString() : '');
};
const listed = (name) => (name ? [name] : []);

export const CANDIDATES = {
  satchel: async () => (html, url) => {
    const page = extractPage({ html, url, readAt: new Date() });
    return {
      text: page.text,
      html: page.articleHtml,
      title: page.title,
      authors: page.authors.map(({ name }) => name),
      day: page.publishedDay,
      image: page.topImage,
      excerpt: page.excerpt,
      lang: page.lang,
      wordCount: page.wordCount,
      isArticle: page.isArticle,
      isIndex: page.isIndex,
      usedFallback: page.usedFallback,
    };
  },
  // The text that is shown and exported, including captions.
  'satchel html': async () => {
    const { parseHTML } = await import('linkedom');
    return (html, url) => {
      const { articleHtml } = extractPage({ html, url, readAt: new Date() });
      const { document } = parseHTML(`<html><body>${articleHtml}</body></html>`);
      return { text: textOf(document.body) };
    };
  },
  readability: async () => {
    const { parseHTML } = await import('linkedom');
    const { Readability } = await import('@mozilla/readability');
    return (html) => {
      const { document } = parseHTML(html);
      const found = new Readability(document, { serializer: (element) => element }).parse();
      return {
        text: found?.content ? textOf(found.content) : '',
        title: found?.title ?? '',
        authors: listed(found?.byline),
        day: day(found?.publishedTime),
        excerpt: found?.excerpt ?? '',
        lang: found?.lang ?? '',
      };
    };
  },
  defuddle: async () => {
    const { parseHTML } = await import('linkedom');
    const { Defuddle } = await import('defuddle/node');
    return async (html, url) => {
      const found = await quietly(() => Defuddle(html, url, { useAsync: false }));
      const { document } = parseHTML(`<html><body>${found.content}</body></html>`);
      return {
        text: textOf(document.body),
        title: found.title ?? '',
        authors: listed(found.author),
        day: day(found.published),
        image: found.image ?? '',
        excerpt: found.description ?? '',
        lang: found.language ?? '',
      };
    };
  },
  'whole text': async () => {
    const { parseHTML } = await import('linkedom');
    return (html) => {
      const { document } = parseHTML(html);
      return { text: textOf(document.documentElement ?? document.body) };
    };
  },
};

/** Silences libraries that print while they work. */
async function quietly(work) {
  const { log, warn, error } = console;
  Object.assign(console, { log() {}, warn() {}, error() {} });
  try {
    return await work();
  } finally {
    Object.assign(console, { log, warn, error });
  }
}
