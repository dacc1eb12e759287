import { Injectable } from '@nestjs/common';

import { ArticlesService } from '../../../articles/articles.service.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { escaped, linked } from '../../../articles/reading/inline-markdown.js';
import type { Translator } from '../../../platform/i18n/translator.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { shownItemOf } from './article-model.js';
import { Highlights, type ItemOfUser } from './highlights.service.js';

/** A file for download. */
interface MarkdownFile {
  readonly name: string;
  readonly text: string;
}

const AT_ONCE = 500;
const MOST_OF_NAME = 60;

/** Exports articles and highlights as Markdown. */
@Injectable()
export class ArticleMarkdown {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly articles: ArticlesService,
    private readonly reader: ArticleReader,
    private readonly highlights: Highlights,
    private readonly annotations: AnnotationRepository,
    private readonly items: ItemRepository,
  ) {}

  /**
   * @throws ItemNotFoundError
   * @throws ServiceBusyError
   */
  async ofItem(item: ItemOfUser, translator: Translator): Promise<MarkdownFile> {
    const opened = await this.articles.open(item.userId, item.itemId);
    const [annotations, note] = await Promise.all([
      this.highlights.of(item),
      this.items.noteOf(item.userId, item.itemId),
    ]);
    const html = opened.page?.html;
    const { title, authors, published, site } = shownItemOf(opened);
    const day = published === undefined ? '' : translator.day(published);
    const facts = [authors, site, day].filter((fact) => fact !== '');
    const text = [
      `# ${headingOf(title)}\n`,
      `${linkOf(opened.item)}\n`,
      `${escaped(facts.join(' · '))}\n`,
      note === '' ? '' : `## ${translator.text('itemNote.title')}\n\n${lines(note).join('\n')}\n`,
      html === undefined ? '' : await this.reader.markdown(html),
      annotations.length === 0 ? '' : `## ${translator.text('highlights.title')}\n`,
      ...annotations.map(passageMarkdown),
    ];
    return { name: fileName(title), text: text.filter((part) => part !== '').join('\n') };
  }

  /** Returns a Markdown text with all highlights of the user, the oldest first. The text is generated in parts. */
  async *ofUser(userId: string, translator: Translator): AsyncGenerator<string> {
    yield `# ${translator.text('highlights.title')}\n`;
    let after: Annotation | undefined;
    let itemId = '';
    for (;;) {
      const wanted = { order: 'ASC', count: AT_ONCE, after } as const;
      const annotations: Annotation[] = await this.annotations.inOrder(userId, wanted);
      const ids = [...new Set(annotations.map((annotation) => annotation.itemId))];
      const rows = await this.items.rowsById(userId, ids);
      for (const annotation of annotations) {
        const row = annotation.itemId === itemId ? undefined : rows.get(annotation.itemId);
        itemId = annotation.itemId;
        yield row === undefined
          ? ''
          : `\n## ${headingOf(resolvedTitleOf(row))}\n\n${linkOf(row)}\n`;
        yield `\n${passageMarkdown(annotation)}`;
      }
      after = annotations.at(-1);
      if (annotations.length < AT_ONCE) {
        return;
      }
    }
  }
}

const headingOf = (title: string): string => escaped(title.replaceAll(/\s+/g, ' ').trim());

const linkOf = ({ given_url: url }: ItemRow): string =>
  /^https?:\/\//i.test(url) ? `<${linked(url)}>` : escaped(url);

const lines = (text: string): string[] => text.split(/\r\n|[\r\n]/).map(escaped);

const passageMarkdown = ({ quote, note }: Annotation): string =>
  [
    ...lines(quote).map((line) => `> ${line}`.trimEnd()),
    ...(note === '' ? [] : ['', ...lines(note)]),
    '',
  ].join('\n');

/** Returns a file name that is valid on every file system. */
function fileName(title: string): string {
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return `${name.slice(0, MOST_OF_NAME).toWellFormed() || 'article'}.md`;
}
