import { type ChapterTask, type ChapterText, chapterText } from '../epub/xhtml/chapter-text.js';
import { articleMarkdown } from './article-markdown.js';
import { solidText, withoutBlanks } from './passages.js';
import { type ArticleTask, showArticle, type ShownArticle } from './shown-article.js';

/** A task for one article: a conversion or a search for a quote, as `kind` says. */
export type ReadingTask =
  | ({ readonly kind: 'show' } & ArticleTask)
  | ({ readonly kind: 'chapter' } & ChapterTask)
  | { readonly kind: 'markdown'; readonly html: string }
  | { readonly kind: 'has'; readonly html: string; readonly quote: string };

export type ReadingResult = ShownArticle | ChapterText | string | boolean;

/**
 * Runs a conversion or a search for one article. Worker threads call this function, and so does the main thread for
 * short articles.
 */
export function readArticle(task: ReadingTask): ReadingResult {
  switch (task.kind) {
    case 'show':
      return showArticle(task);
    case 'chapter':
      return chapterText(task);
    case 'markdown':
      return articleMarkdown(task.html);
    case 'has': {
      const words = withoutBlanks(task.quote);
      return words !== '' && solidText(task.html).includes(words);
    }
  }
}

export default readArticle;
