import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { withoutControls } from '../../../lib/util/clean-text.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Public } from '../../../platform/http/public.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { TagRepository } from '../../../reading-list/list/tag.repository.js';
import { UNTAGGED } from '../../../reading-list/list/tag-name.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SuggestionsService } from '../../../reading-list/suggestions/suggestions.service.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { localUrl, pathOf } from '../../local-path.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { Pages, READER_POLICY } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { EditTagsRequest } from './list.request.js';
import { tagPath } from './list-links.js';

/** The maximum number of tags that are sent for autocompletion. */
const MOST_KNOWN = 300;
const MOST_SHOWN = 1000;
const MAX_PART = 100;

/** The page for the tags of an item, and the page with all tags of the user. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard)
@Controller('list/tags')
export class TagPagesController {
  constructor(
    private readonly pages: Pages,
    private readonly items: ItemRepository,
    private readonly tags: TagRepository,
    private readonly suggestions: SuggestionsService,
  ) {}

  @Get()
  async edit(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { item: itemId = '', back = '/list' } = parseRequest(EditTagsRequest, request.query);
    const row = (await this.items.rowsById(userId, [itemId || '0'])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const suggested = await this.suggestions.suggest(userId, { itemId });
    const known = await this.tags.counted(userId, { part: '', limit: MOST_KNOWN + 1 });
    const backUrl = localUrl(back);
    const model = {
      ...({ section: 'list', csrfToken: csrfTokenOf(request) } as const),
      itemId,
      title: resolvedTitleOf(row),
      tags: row.tags,
      back: backUrl === undefined ? '/list' : pathOf(backUrl),
      suggested: suggested.map(({ tag }) => tag),
      known: known.length > MOST_KNOWN ? [] : known.map(({ name }) => name),
    };
    this.pages.show(response, 'reader/edit-tags', model, { policy: READER_POLICY });
  }

  @Get('all')
  async all(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const part = withoutControls(textOf(request.query, 'find')).trim();
    if (part.length > MAX_PART) {
      throw new ValidationFailedError([
        fieldProblem('find', `must be text of at most ${MAX_PART} characters`),
      ]);
    }
    const tags = await this.tags.counted(userId, { part, limit: MOST_SHOWN + 1 });
    const model = {
      ...({ section: 'list', csrfToken: csrfTokenOf(request), part } as const),
      tags: tags
        .slice(0, MOST_SHOWN)
        .map(({ name, itemCount }) => ({ name, href: tagPath(name), count: itemCount })),
      isCut: tags.length > MOST_SHOWN,
      untaggedHref: tagPath(UNTAGGED),
    };
    this.pages.show(response, 'reader/tags', model, { policy: READER_POLICY });
  }
}
