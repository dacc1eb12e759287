import { Get, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ArticlesService } from '../../../articles/articles.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { isObject, textOf } from '../../../platform/common/request-fields.js';
import type { Answer } from '../../../platform/http/answer.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import { translatorTo } from '../../../platform/i18n/translator.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import type { ShownPage } from '../../template.js';
import { doneAnswer } from '../done-notice.js';
import { articlePaths } from '../list/list-origin.js';
import { itemIdOf } from './article.controller.js';
import { ArticleMarkdown } from './article-markdown.service.js';
import { ArticlePage } from './article-page.js';
import { Highlights } from './highlights.service.js';
import { MovedItems } from './moved-items.interceptor.js';

/** Handles the forms for the highlights of an article, and exports the article as a Markdown file. */
@Page('read/:id')
@UseInterceptors(MovedItems)
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
    const translator = translatorTo(requestLanguage(response.req));
    const item = { userId, itemId: itemIdOf(id) };
    const { name, text } = await this.files.ofItem(item, translator);
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
    const pathAfter = articlePaths(request.query, itemId);
    const draft = {
      quote: textOf(request.body, 'quote'),
      note: textOf(request.body, 'note'),
      color: textOf(request.body, 'color'),
    };
    try {
      const { page } = await this.articles.open(user.id, itemId);
      const before = textOf(request.body, 'before');
      const passage = { ...draft, before, offset: Number(textOf(request.body, 'offset')) };
      const added = await this.highlights.add({ userId: user.id, itemId }, page, passage);
      return doneAnswer(request, `${pathAfter('highlight')}#highlight-${added}`);
    } catch (error) {
      if (wantsJson(request)) {
        throw error;
      }
      const refused = { form: 'highlight', errors: formErrorsOf(error), draft } as const;
      return this.page.show({ user, itemId, request, response }, refused);
    }
  }

  /** Stores the note and the color of a highlight. A field that the form does not contain stays unchanged. */
  @Post('highlights/note')
  async change(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const item = { userId, itemId: itemIdOf(id) };
    const pathAfter = articlePaths(request.query, item.itemId);
    const annotationId = textOf(request.body, 'highlight');
    const color = textOf(request.body, 'color');
    const note = hasField(request.body, 'note') ? textOf(request.body, 'note') : undefined;
    await this.highlights.change(item, annotationId, { note, color });
    const done = color === '' ? 'note' : 'highlight-saved';
    return doneAnswer(request, `${pathAfter(done)}#note-${annotationId}`);
  }

  @Post('highlights/delete')
  async delete(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const item = { userId, itemId: itemIdOf(id) };
    const pathAfter = articlePaths(request.query, item.itemId);
    await this.highlights.delete(item, textOf(request.body, 'highlight'));
    return doneAnswer(request, `${pathAfter('unhighlight')}#highlights`);
  }
}

const hasField = (body: unknown, name: string): boolean =>
  isObject(body) && Object.hasOwn(body, name);
