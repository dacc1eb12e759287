import { Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';

import { ArticlesService } from '../../../articles/articles.service.js';
import { AnotherAttempt } from '../../../articles/resolver/another-attempt.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { PageResolver } from '../../../reading-list/pages/page-resolver.js';
import { Page } from '../../page.js';
import { articlePaths } from '../list/list-origin.js';
import { itemIdOf } from './article.controller.js';
import { MovedItems } from './moved-items.interceptor.js';

/** Fetches the page of an item again. Both actions count against the quota of the user. */
@Page('read/:id')
@UseInterceptors(MovedItems)
export class ArticleFetchController {
  constructor(
    private readonly articles: ArticlesService,
    private readonly attempts: AnotherAttempt,
    private readonly resolver: PageResolver,
    private readonly config: Config,
  ) {}

  /** Retries the fetch of a page without an article. */
  @Post('retry')
  async tryAgain(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { query }: Request,
  ): Promise<Answer> {
    const itemId = itemIdOf(id);
    const pathAfter = articlePaths(query, itemId);
    const { item, page: known } = await this.articles.open(userId, itemId);
    if (known?.html !== undefined) {
      return redirect(pathAfter());
    }
    const isTried = await this.attempts.request(userId, { itemId, givenUrl: item.given_url });
    await this.wait(userId, itemId, item.given_url);
    return redirect(pathAfter(isTried ? undefined : 'wait'));
  }

  /** Fetches a page again that has an article. The new article replaces the old one only if the fetch succeeds. */
  @Post('fetch')
  async fetchAgain(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() { query }: Request,
  ): Promise<Answer> {
    const itemId = itemIdOf(id);
    const pathAfter = articlePaths(query, itemId);
    const { item } = await this.articles.open(userId, itemId);
    if (await this.attempts.isSent({ userId, itemId })) {
      return redirect(pathAfter('sent'));
    }
    const isTried = await this.attempts.requestAnew(userId, { itemId, givenUrl: item.given_url });
    if (!isTried) {
      return redirect(pathAfter('wait'));
    }
    const isFetched = await this.wait(userId, itemId, item.given_url);
    return redirect(pathAfter(isFetched ? 'fetched' : 'queued'));
  }

  private wait(userId: string, itemId: string, url: string): Promise<boolean> {
    const page = { userId, itemId, url, sent: undefined };
    return this.resolver.resolve(page, this.config.resolveWaitMs);
  }
}
