import { Controller, Get, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ArticlesService } from '../../../articles/articles.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Public } from '../../../platform/http/public.js';
import { CsrfGuard } from '../../csrf.guard.js';
import { formErrorsOf } from '../../forms.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { goTo } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { itemIdOf } from './article.controller.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { ArticlePage } from './article-page.js';
import { Highlights } from './highlights.service.js';

/** Handles the forms for the highlights of an article, and exports the article as a Markdown file. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('read/:id')
export class HighlightsController {
  constructor(
    private readonly page: ArticlePage,
    private readonly articles: ArticlesService,
    private readonly highlights: Highlights,
    private readonly files: ArticleMarkdown,
  ) {}

  @Get('markdown')
  async download(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const { name, text } = await this.files.ofItem({ userId, itemId: itemIdOf(id) });
    response.attachment(name).type('text/markdown').send(text);
  }

  @Post('highlights')
  @UseGuards(CsrfGuard)
  async add(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = itemIdOf(id);
    const draft = { quote: textOf(request.body, 'quote'), note: textOf(request.body, 'note') };
    try {
      const { page } = await this.articles.open(user.id, itemId);
      const passage = { ...draft, before: textOf(request.body, 'before') };
      const added = await this.highlights.add({ userId: user.id, itemId }, page?.html, passage);
      goTo(response, `/read/${itemId}?done=highlight#highlight-${added}`);
    } catch (error) {
      const errors = formErrorsOf(error);
      await this.page.show({ user, itemId, request, response }, { errors, draft });
    }
  }

  @Post('highlights/note')
  @UseGuards(CsrfGuard)
  async writeNote(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const item = { userId, itemId: itemIdOf(id) };
    const annotationId = textOf(body, 'highlight');
    await this.highlights.writeNote(item, annotationId, textOf(body, 'note'));
    goTo(response, `/read/${item.itemId}?done=note#note-${annotationId}`);
  }

  @Post('highlights/delete')
  @UseGuards(CsrfGuard)
  async delete(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const item = { userId, itemId: itemIdOf(id) };
    await this.highlights.delete(item, textOf(body, 'highlight'));
    goTo(response, `/read/${item.itemId}?done=unhighlight#highlights`);
  }
}
