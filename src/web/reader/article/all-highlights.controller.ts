import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Controller, Get, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Public } from '../../../platform/http/public.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import {
  type AnnotationPosition,
  AnnotationRepository,
} from '../../../reading-list/list/annotation.repository.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { Pages, READER_POLICY } from '../../pages.js';
import type { Views } from '../../views.js';
import { VisitorGuard } from '../../visitors.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { highlightCard, siteOf } from './article-model.js';

const PAGE = 50;
const POSITION = /^(\d{1,15})\.([\w-]{1,64})$/;

type ItemsOfPage = Views['reader/highlights']['items'];

/** Shows all highlights of the user, the newest first. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('highlights')
export class AllHighlightsController {
  constructor(
    private readonly pages: Pages,
    private readonly annotations: AnnotationRepository,
    private readonly items: ItemRepository,
    private readonly files: ArticleMarkdown,
  ) {}

  @Get()
  async show(
    @CurrentUser() { id: userId }: User,
    @Query('after') position: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const after = positionIn(position);
    const wanted = { order: 'DESC', count: PAGE + 1, after } as const;
    const found = await this.annotations.inOrder(userId, wanted);
    const shown = found.slice(0, PAGE);
    const rows = await this.items.rowsById(userId, [...new Set(shown.map((one) => one.itemId))]);
    const last = found.length > PAGE ? shown.at(-1) : undefined;
    const model = {
      csrfToken: csrfTokenOf(request),
      items: byItem(shown, rows),
      nextHref: last && `/highlights?after=${last.createdAt}.${last.annotationId}`,
      isFirstPage: after === undefined,
    };
    this.pages.show(response, 'reader/highlights', model, { policy: READER_POLICY });
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
): ItemsOfPage {
  const groups: { id: string; members: Annotation[] }[] = [];
  for (const annotation of annotations) {
    const group = groups.at(-1);
    if (group?.id === annotation.itemId) {
      group.members.push(annotation);
    } else {
      groups.push({ id: annotation.itemId, members: [annotation] });
    }
  }
  return groups.flatMap(({ id, members }) => {
    const row = rows.get(id);
    const cards = members.map((one) =>
      highlightCard(one, `/read/${id}#highlight-${one.annotationId}`),
    );
    return row === undefined
      ? []
      : [
          {
            title: resolvedTitleOf(row),
            href: `/read/${id}`,
            site: siteOf(row),
            highlights: cards,
          },
        ];
  });
}
