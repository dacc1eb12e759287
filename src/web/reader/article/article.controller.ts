import {
  Get,
  HttpStatus,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Clock } from '../../../platform/common/clock.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import {
  type NewPosition,
  ReadingPositionRepository,
} from '../../../reading-list/list/reading-position.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import type { ShownPage } from '../../template.js';
import { Appearances, SAMPLE_ARTICLE } from '../appearance/appearance.js';
import { articlePaths } from '../list/list-origin.js';
import { ArticlePage } from './article-page.js';
import { MovedItems } from './moved-items.interceptor.js';

/**
 * Returns the item id from the path.
 * @throws NotFoundException if the text is not an id
 */
export function itemIdOf(id: string): string {
  if (!isId(id)) {
    throw new NotFoundException();
  }
  return id;
}

/** Shows the page of an item, and stores the reading position and the appearance settings. */
@Page('read')
export class ArticleController {
  constructor(
    private readonly page: ArticlePage,
    private readonly positions: ReadingPositionRepository,
    private readonly appearances: Appearances,
    private readonly clock: Clock,
  ) {}

  @Get(':id')
  @UseInterceptors(MovedItems)
  async show(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage> {
    return this.page.show({ user, itemId: itemIdOf(id), request, response });
  }

  /**
   * Stores the reading position. The response to a script is JSON instead of a redirect, because the page stays open.
   */
  @Post(':id/position')
  async keepPosition(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const nowMs = this.clock.now().getTime();
    const item = { userId, itemId: itemIdOf(id) };
    const pathAfter = articlePaths(request.query, item.itemId);
    const isKept = await this.positions.keep(item, positionOf(request.body, nowMs), nowMs);
    if (!isKept && (await this.positions.of(item)) === undefined) {
      throw new ItemNotFoundError();
    }
    return wantsJson(request)
      ? json({ kept: isKept }, HttpStatus.CREATED)
      : redirect(pathAfter('place'));
  }

  @Post('appearance')
  async keepAppearance(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
  ): Promise<Answer> {
    await this.appearances.keep(userId, request.body);
    return wantsJson(request) ? json({ kept: true }) : redirect(pathAfterSettings(request));
  }
}

/** Returns the path of the article from which a user sent the form with the text settings. */
function pathAfterSettings({ body, query }: Request): string {
  const itemId = textOf(body, 'item');
  if (itemId === SAMPLE_ARTICLE) {
    return '/welcome';
  }
  return isId(itemId) ? articlePaths(query, itemId)() : '/list';
}

const PERCENT = 100;
const NUMBER = /^\d{1,15}(?:\.\d{1,20})?$/;
const MOST_PARAGRAPHS = 10_000_000;

const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text) : NaN);

/**
 * Parses a reading position. A script sends a fraction, a paragraph and a time in milliseconds. The form sends a
 * percentage.
 * @throws ValidationFailedError if the position is not from 0 to 100 percent
 */
function positionOf(form: unknown, nowMs: number): NewPosition {
  const percent = textOf(form, 'percent');
  const fraction =
    percent === '' ? numberOf(textOf(form, 'fraction')) : numberOf(percent) / PERCENT;
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new ValidationFailedError([fieldProblem('percent', 'must be a number from 0 to 100')]);
  }
  const paragraph = numberOf(textOf(form, 'paragraph'));
  const atMs = numberOf(textOf(form, 'at'));
  return {
    fraction,
    paragraph: paragraph <= MOST_PARAGRAPHS ? Math.trunc(paragraph) : undefined,
    atMs: Number.isNaN(atMs) ? nowMs : atMs,
  };
}
