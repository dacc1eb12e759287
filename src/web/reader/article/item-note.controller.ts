import { Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { Answer } from '../../../platform/http/answer.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import type { ShownPage } from '../../template.js';
import { doneAnswer } from '../done-notice.js';
import { articlePaths } from '../list/list-origin.js';
import { itemIdOf } from './article.controller.js';
import { ArticlePage } from './article-page.js';
import { ItemNotes } from './item-notes.service.js';
import { MovedItems } from './moved-items.interceptor.js';

/** Stores the user's note about the page of an item. */
@Page('read/:id/note')
@UseInterceptors(MovedItems)
export class ItemNoteController {
  constructor(
    private readonly page: ArticlePage,
    private readonly notes: ItemNotes,
  ) {}

  @Post()
  async write(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    const itemId = itemIdOf(id);
    const pathAfter = articlePaths(request.query, itemId);
    const note = textOf(request.body, 'note');
    try {
      await this.notes.write({ userId: user.id, itemId }, note);
    } catch (error) {
      if (wantsJson(request)) {
        throw error;
      }
      const refused = { form: 'note', errors: formErrorsOf(error), draft: { note } } as const;
      return this.page.show({ user, itemId, request, response }, refused);
    }
    return doneAnswer(request, pathAfter(note.trim() === '' ? 'note-deleted' : 'note'));
  }
}
