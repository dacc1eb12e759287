import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import { pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import { Appearances } from '../appearance/appearance.js';
import { backOf } from './list-actions.request.js';

/** Stores the layout in which a user sees the list. */
@Page('list/layout')
export class ListLayoutController {
  constructor(private readonly appearances: Appearances) {}

  /** The response to a script is JSON instead of a redirect, because the page stays open. */
  @Post()
  async choose(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<Answer> {
    const layout = await this.appearances.keepLayout(userId, request.body);
    return wantsJson(request) ? json({ layout }) : redirect(pathOf(backOf(request.body)));
  }
}
