import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { languageOfUser } from '../../auth/user-language.js';
import { Clock } from '../../platform/common/clock.js';
import { Describes } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import type { TextLanguage } from '../../platform/i18n/languages.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import type { ItemsFound } from '../../reading-list/query/items-wanted.js';
import { feedOf } from './feed.js';
import { LIST_FEED_OPERATION } from './feed.openapi.js';
import {
  type FeedParameters,
  fileNameOf,
  RELEASE,
  sendFeed,
  setCaching,
  setValidators,
} from './feed-answers.js';
import { partsOfFile } from './feed-choice.js';
import { FeedsService } from './feeds.service.js';
import { ListFeeds, type ListWithFeed } from './list-feeds.service.js';
import { isCurrent, type Validators, validatorsOf } from './validators.js';

/** Serves the feeds of saved lists at the secret feed address of the user (docs/use/feeds.md). */
@Public()
@Controller('feeds/:token/list')
export class ListFeedsController {
  constructor(
    private readonly feeds: FeedsService,
    private readonly lists: ListFeeds,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Sends the feed of a list. Each invalid address gets the same 404 error, as for the other feeds. */
  @Get('*file')
  @Describes(LIST_FEED_OPERATION)
  async show(
    @Param() { token, file }: FeedParameters,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { name, format } = partsOfFile(fileNameOf(file));
    const owner = format && (await this.feeds.ownerOf(token));
    const found = owner && (await this.lists.named(owner.user_id, name));
    if (format === undefined || owner === undefined || found === undefined) {
      throw new NotFoundException();
    }
    const base = ownAddress(request, this.config.publicUrl);
    const selfUrl = `${base}/feeds/${token}/${found.choice.path}.${format}`;
    setCaching(response);
    const items = await this.lists.items(owner, found);
    const language = languageOfUser(owner);
    const validators = this.validators([selfUrl, language], found, items);
    setValidators(response, validators);
    if (isCurrent(request.headers, validators)) {
      response.status(304).end();
      return;
    }
    const { rows } = items;
    const contents = await this.lists.contents(owner, found, { rows, base, language });
    const parts = { ...owner, ...found, rows, contents, selfUrl, base };
    sendFeed(response, format, feedOf(parts, translatorTo(language)));
  }

  /**
   * Returns the ETag of a feed. The version of the reading list is not enough: the items also change with the progress
   * of reading and with newly indexed words. For the same reason, the feed has no date of its last change.
   */
  private validators(
    place: readonly [selfUrl: string, language: TextLanguage],
    { list }: ListWithFeed,
    { rows, version }: ItemsFound,
  ): Validators {
    const { id, name, feed, conditions } = list;
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    const facts = [RELEASE, ...place, JSON.stringify([id, name, feed, conditions, itemIds])];
    return validatorsOf({ facts, version, changedAt: Infinity }, this.clock.seconds());
  }
}
