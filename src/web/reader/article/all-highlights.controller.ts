import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import {
  HIGHLIGHT_COLORS,
  type HighlightColor,
  highlightColorOf,
} from '../../../lib/util/highlight-color.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import { message } from '../../../platform/i18n/message.js';
import { translatorTo } from '../../../platform/i18n/translator.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import {
  type AnnotationPosition,
  AnnotationRepository,
} from '../../../reading-list/list/annotation.repository.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import type { HighlightCard, QuoteSource } from './article.view.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { highlightCard, quoteSourceOf } from './article-model.js';

const PAGE = 50;
const POSITION = /^(\d{1,15})\.([\w-]{1,64})$/;

interface HighlightedItem {
  readonly source: QuoteSource;
  readonly href: string;
  readonly highlights: HighlightCard[];
}

interface AllHighlightsModel {
  readonly items: readonly HighlightedItem[];
  readonly nextHref: string | undefined;
  readonly isFirstPage: boolean;
  readonly colors: readonly HighlightColor[];
  /** The color of the shown highlights. Undefined means all colors. */
  readonly color: HighlightColor | undefined;
}

const allHighlightsPage = new Template<AllHighlightsModel>('reader/article/all-highlights', {
  kind: 'reader',
});

/** Shows all highlights of the user, the newest first. */
@Page('highlights')
export class AllHighlightsController {
  constructor(
    private readonly annotations: AnnotationRepository,
    private readonly items: ItemRepository,
    private readonly files: ArticleMarkdown,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Query('after') position: unknown,
    @Query('color') colorName: unknown,
  ): Promise<ShownPage> {
    const after = positionIn(position);
    const color = colorIn(colorName);
    const wanted = { order: 'DESC', count: PAGE + 1, after, color } as const;
    const found = await this.annotations.inOrder(userId, wanted);
    const shown = found.slice(0, PAGE);
    const rows = await this.items.rowsById(userId, [...new Set(shown.map((one) => one.itemId))]);
    const last = found.length > PAGE ? shown.at(-1) : undefined;
    return allHighlightsPage.page({
      items: byItem(shown, rows),
      nextHref: last && pathAfter(last, color),
      isFirstPage: after === undefined,
      colors: HIGHLIGHT_COLORS,
      color,
    });
  }

  @Get('markdown')
  async download(@CurrentUser() { id }: User, @Res() response: Response): Promise<void> {
    response.attachment('highlights.md').type('text/markdown');
    const translator = translatorTo(requestLanguage(response.req));
    await pipeline(Readable.from(this.files.ofUser(id, translator)), response);
  }
}

function positionIn(text: unknown): AnnotationPosition | undefined {
  const [, createdAt, annotationId] = (typeof text === 'string' && POSITION.exec(text)) || [];
  return createdAt === undefined || annotationId === undefined
    ? undefined
    : { createdAt, annotationId };
}

/** @throws ValidationFailedError if the text is not the name of a color */
function colorIn(name: unknown): HighlightColor | undefined {
  const color = highlightColorOf(name);
  if (color === undefined && name !== undefined) {
    const problem = fieldProblem('color', 'is unknown', message('highlights.rules.color'));
    throw new ValidationFailedError([problem]);
  }
  return color;
}

function pathAfter(
  { createdAt, annotationId }: Annotation,
  color: HighlightColor | undefined,
): string {
  const filter = color === undefined ? '' : `color=${color}&`;
  return `/highlights?${filter}after=${createdAt}.${annotationId}`;
}

/** Groups consecutive highlights of the same item. */
function byItem(
  annotations: readonly Annotation[],
  rows: ReadonlyMap<string, ItemRow>,
): HighlightedItem[] {
  const items: HighlightedItem[] = [];
  for (const annotation of annotations) {
    const href = `/read/${annotation.itemId}`;
    const card = highlightCard(annotation, `${href}#highlight-${annotation.annotationId}`);
    const row = rows.get(annotation.itemId);
    const last = items.at(-1);
    if (last?.href === href) {
      last.highlights.push(card);
    } else if (row !== undefined) {
      items.push({ source: quoteSourceOf(row), href, highlights: [card] });
    }
  }
  return items;
}
