import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import {
  type AnnotationPosition,
  AnnotationRepository,
} from '../../../reading-list/list/annotation.repository.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import type { HighlightCard } from './article.view.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { highlightCard, siteOf } from './article-model.js';

const PAGE = 50;
const POSITION = /^(\d{1,15})\.([\w-]{1,64})$/;

interface HighlightedItem {
  readonly title: string;
  readonly href: string;
  readonly site: string;
  readonly highlights: HighlightCard[];
}

interface AllHighlightsModel {
  readonly items: readonly HighlightedItem[];
  readonly nextHref: string | undefined;
  readonly isFirstPage: boolean;
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
  ): Promise<ShownPage> {
    const after = positionIn(position);
    const wanted = { order: 'DESC', count: PAGE + 1, after } as const;
    const found = await this.annotations.inOrder(userId, wanted);
    const shown = found.slice(0, PAGE);
    const rows = await this.items.rowsById(userId, [...new Set(shown.map((one) => one.itemId))]);
    const last = found.length > PAGE ? shown.at(-1) : undefined;
    return allHighlightsPage.page({
      items: byItem(shown, rows),
      nextHref: last && `/highlights?after=${last.createdAt}.${last.annotationId}`,
      isFirstPage: after === undefined,
    });
  }

  @Get('markdown')
  async download(@CurrentUser() { id }: User, @Res() response: Response): Promise<void> {
    response.attachment('highlights.md').type('text/markdown');
    await pipeline(Readable.from(this.files.ofUser(id)), response);
  }
}

function positionIn(text: unknown): AnnotationPosition | undefined {
  const [, createdAt, annotationId] = (typeof text === 'string' && POSITION.exec(text)) || [];
  return createdAt === undefined || annotationId === undefined
    ? undefined
    : { createdAt, annotationId };
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
      items.push({ title: resolvedTitleOf(row), href, site: siteOf(row), highlights: [card] });
    }
  }
  return items;
}
