import { hash } from 'node:crypto';

import { Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { DeviceImage } from '../../articles/images/conversion-process.js';
import { VisitorLimit } from '../../auth/throttle-limits.js';
import { Answer } from '../../platform/http/answer.js';
import { requestLanguage } from '../../platform/http/request-language.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { Page } from '../page.js';
import type { ShownPage } from '../template.js';
import { isKnown, NOT_MODIFIED } from './revalidation.js';
import { goneArticlePage, sharedArticlePage } from './shared-article.view.js';
import { SharedArticles } from './shared-articles.js';

const NUMBER = /^[1-9]\d{0,2}$/;

class PictureAnswer extends Answer {
  constructor(private readonly image: DeviceImage) {
    super();
  }

  override sendTo(response: Response): void {
    response.set('Content-Type', this.image.type);
    response.end(this.image.bytes);
  }
}

/**
 * Shows the articles that users share by public links, to everyone who knows the link. The session of a visitor is not
 * read. Links that show nothing all get the same page with status 404.
 */
@Page('shared/:token', { for: 'everyone', hasCsrfGuard: false })
export class SharedArticleController {
  constructor(private readonly articles: SharedArticles) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([VisitorLimit.SharedPerAddress])
  async show(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    forbidIndexing(response);
    const language = requestLanguage(request);
    const model = await this.articles.show(token, language);
    if (model === undefined) {
      return goneArticlePage();
    }
    response.vary('Accept-Language');
    return isKnown([language, model], request, response) ? NOT_MODIFIED : sharedArticlePage(model);
  }

  /** Pictures are not counted against the limit, because an article may have hundreds. */
  @Get('pictures/:number')
  async picture(
    @Param('token') token: string,
    @Param('number') number: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    forbidIndexing(response);
    const image = NUMBER.test(number)
      ? await this.articles.picture(token, Number(number))
      : undefined;
    if (image === undefined) {
      return goneArticlePage();
    }
    const content = hash('sha256', image.bytes, 'base64url');
    return isKnown([content], request, response) ? NOT_MODIFIED : new PictureAnswer(image);
  }
}

const forbidIndexing = (response: Response): void => {
  response.set('X-Robots-Tag', 'noindex');
};
