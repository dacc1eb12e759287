import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { languageOfUser } from '../../auth/user-language.js';
import { Clock } from '../../platform/common/clock.js';
import { Describes } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import { feedOf } from './feed.js';
import { FEED_OPERATION, TAG_FEED_OPERATION } from './feed.openapi.js';
import {
  type FeedParameters,
  fileNameOf,
  RELEASE,
  sendFeed,
  setCaching,
  setValidators,
} from './feed-answers.js';
import { type FeedAsked, listAsked, tagAsked } from './feed-choice.js';
import { FeedsService } from './feeds.service.js';
import type { FeedOwner } from './feeds.sql.js';
import { isCurrent, type Validators, validatorsOf } from './validators.js';

/**
 * Serves feeds to programs that send no credentials. The secret part of the address authenticates the request
 * (docs/use/feeds.md).
 */
@Public()
@Controller('feeds/:token')
export class FeedsController {
  constructor(
    private readonly feeds: FeedsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get(':file')
  @Describes(FEED_OPERATION)
  async list(
    @Param() { token, file }: FeedParameters,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer({ token, asked: listAsked(fileNameOf(file)), request }, response);
  }

  @Get('tag/*file')
  @Describes(TAG_FEED_OPERATION)
  async tag(
    @Param() { token, file }: FeedParameters,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer({ token, asked: tagAsked(fileNameOf(file)), request }, response);
  }

  /**
   * Sends a feed. Each invalid address gets the same 404 error, so that the response reveals nothing about valid
   * addresses.
   */
  private async answer({ token, asked, request }: Asking, response: Response): Promise<void> {
    const owner = asked && (await this.feeds.ownerOf(token));
    if (asked === undefined || owner === undefined) {
      throw new NotFoundException();
    }
    const base = ownAddress(request, this.config.publicUrl);
    const selfUrl = `${base}/feeds/${token}/${asked.choice.path}.${asked.format}`;
    setCaching(response);
    const known = this.validators(selfUrl, owner, owner.version);
    if (isCurrent(request.headers, known)) {
      setValidators(response, known);
      response.status(304).end();
      return;
    }
    const { rows, version } = await this.feeds.items(owner, asked.choice);
    setValidators(response, this.validators(selfUrl, owner, version));
    const translator = translatorTo(languageOfUser(owner));
    const feed = feedOf({ ...owner, ...asked, rows, selfUrl, base }, translator);
    sendFeed(response, asked.format, feed);
  }

  /**
   * Returns the ETag and the `Last-Modified` date of a feed. The date is the time of the list's
   * latest change or the creation time of the feed address, whichever is later.
   */
  private validators(selfUrl: string, owner: FeedOwner, version: number): Validators {
    const changedAt = Math.max(version, owner.issuedAt);
    const facts = [RELEASE, selfUrl, languageOfUser(owner)];
    return validatorsOf({ facts, version, changedAt }, this.clock.seconds());
  }
}

interface Asking {
  readonly token: string;
  /** The requested feed and format. Undefined if no feed has this path. */
  readonly asked: FeedAsked | undefined;
  readonly request: Request;
}
