import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import type { Message } from '../../../platform/i18n/message.js';
import { Page } from '../../page.js';
import {
  type AppearanceChoice,
  appearanceChoices,
  Appearances,
} from '../../reader/appearance/appearance.js';
import { type ShownPage, Template } from '../../template.js';
import { noticeOf } from '../notices.js';

interface ReadingModel {
  readonly choices: readonly AppearanceChoice[];
  readonly notice: Message | undefined;
}

const template = new Template<ReadingModel>('account/reading/reading', { kind: 'reader' });

/** The page on which a user chooses the appearance of articles, without opening an article. */
@Page('account/reading')
export class ReadingPageController {
  constructor(private readonly appearances: Appearances) {}

  @Get()
  async show(@CurrentUser() { id }: User, @Req() { query }: Request): Promise<ShownPage> {
    return template.page({
      choices: appearanceChoices(await this.appearances.of(id)),
      notice: noticeOf(textOf(query, 'done')),
    });
  }

  @Post()
  async save(@CurrentUser() { id }: User, @Req() { body }: Request): Promise<Answer> {
    await this.appearances.keep(id, body);
    return redirect('/account/reading?done=reading');
  }
}
