import { Get, Param, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { ATOM_TYPE, presentAtom } from '../../../apis/feeds/atom.presenter.js';
import { NOT_INDEXED } from '../../../apis/feeds/feed.openapi.js';
import { VisitorLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { Answer } from '../../../platform/http/answer.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { requestLanguage } from '../../../platform/http/request-language.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { isKnown, NOT_MODIFIED } from '../revalidation.js';
import { noListPage, sharedListPage } from './shared-list.view.js';
import { listFeedOf } from './shared-list-feed.js';
import { SharedLists } from './shared-lists.js';

const ROBOTS = 'X-Robots-Tag';
const PAGE_NUMBER = /^[1-9]\d{0,3}$/;

class AtomAnswer extends Answer {
  constructor(private readonly document: string) {
    super();
  }

  override sendTo(response: Response): void {
    response.type(ATOM_TYPE).send(this.document);
  }
}

/**
 * Shows the lists that users publish, to everyone who knows the address (docs/decisions/0120). The session of a visitor
 * is not read. Addresses without a public list all get the same page with status 404.
 */
@Page('shared/lists', { for: 'everyone', hasCsrfGuard: false })
export class SharedListController {
  constructor(
    private readonly lists: SharedLists,
    private readonly config: Config,
  ) {}

  /** This route comes first, because `:address` in the other route also matches `name.atom`. */
  @Get(':address.atom')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([VisitorLimit.SharedPerAddress])
  async feed(
    @Param('address') address: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    response.set(ROBOTS, NOT_INDEXED);
    const page = await this.lists.page(address);
    if (page === undefined) {
      return noListPage();
    }
    const base = ownAddress(request, this.config.publicUrl);
    const document = presentAtom(listFeedOf(page, base));
    return isKnown([document], request, response) ? NOT_MODIFIED : new AtomAnswer(document);
  }

  @Get(':address')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([VisitorLimit.SharedPerAddress])
  async show(
    @Param('address') address: string,
    @Query() query: object,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    response.set(ROBOTS, NOT_INDEXED);
    const page = textOf(query, 'page') || '1';
    const found = PAGE_NUMBER.test(page) ? await this.lists.page(address, Number(page)) : undefined;
    if (found === undefined) {
      return noListPage();
    }
    if (found.list.isIndexed) {
      response.removeHeader(ROBOTS);
    }
    response.vary('Accept-Language');
    const facts = [requestLanguage(request), found.model];
    return isKnown(facts, request, response) ? NOT_MODIFIED : sharedListPage(found.model);
  }
}
