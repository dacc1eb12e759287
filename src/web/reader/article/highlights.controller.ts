import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ArticlesService } from '../../../articles/articles.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { itemIdOf } from './article.controller.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { ArticlePage } from './article-page.js';
import { Highlights } from './highlights.service.js';

/** Handles the forms for the highlights of an article, and exports the article as a Markdown file. */
@Page('read/:id')
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
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { name, text } = await this.files.ofItem({ userId, itemId: itemIdOf(id) });
    response.attachment(name).type('text/markdown');
    return text;
  }

  @Post('highlights')
  async add(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    const itemId = itemIdOf(id);
    const draft = { quote: textOf(request.body, 'quote'), note: textOf(request.body, 'note') };
    try {
      const { page } = await this.articles.open(user.id, itemId);
      const passage = { ...draft, before: textOf(request.body, 'before') };
      const added = await this.highlights.add({ userId: user.id, itemId }, page?.html, passage);
      return redirect(`/read/${itemId}?done=highlight#highlight-${added}`);
    } catch (error) {
      const errors = formErrorsOf(error);
      return this.page.show({ user, itemId, request, response }, { errors, draft });
    }
  }

  @Post('highlights/note')
  async writeNote(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { body }: Request,
  ): Promise<Answer> {
    const item = { userId, itemId: itemIdOf(id) };
    const annotationId = textOf(body, 'highlight');
    await this.highlights.writeNote(item, annotationId, textOf(body, 'note'));
    return redirect(`/read/${item.itemId}?done=note#note-${annotationId}`);
  }

  @Post('highlights/delete')
  async delete(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { body }: Request,
  ): Promise<Answer> {
    const item = { userId, itemId: itemIdOf(id) };
    await this.highlights.delete(item, textOf(body, 'highlight'));
    return redirect(`/read/${item.itemId}?done=unhighlight#highlights`);
  }
}
