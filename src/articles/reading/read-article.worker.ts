import { type ChapterTask, type ChapterText, chapterText } from '../epub/xhtml/chapter-text.js';
import { articleMarkdown } from './article-markdown.js';
import { solidText, withoutBlanks } from './passages.js';
import { type ArticleTask, showArticle, type ShownArticle } from './shown-article.js';

/** A task for one article. `kind` selects the conversion or the search. */
export type ReadingTask =
  | ({ readonly kind: 'show' } & ArticleTask)
  | ({ readonly kind: 'chapter' } & ChapterTask)
  | { readonly kind: 'markdown'; readonly html: string }
  | { readonly kind: 'has'; readonly html: string; readonly quote: string };

export type ReadingResult = ShownArticle | ChapterText | string | boolean;

/** Runs a task for one article, either in a worker thread or in the main thread. */
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
