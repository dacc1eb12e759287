import { Body, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Permission, RequirePermission } from '../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../auth/consumers/principal.js';
import { Describes } from '../platform/common/openapi.js';
import { Config } from '../platform/config/config.js';
import { ownAddress } from '../platform/http/own-address.js';
import { sendV3 } from '../pocket-api/v3-responses.js';
import { V3Route } from '../pocket-api/v3-routes.js';
import { DOWNLOAD_OPERATION, TEXT_OPERATION } from './article.openapi.js';
import { presentArticle } from './article.presenter.js';
import { ArticleRequest } from './article.request.js';
import { ArticlesService } from './articles.service.js';
import { ImageAddresses } from './images/image-addresses.js';

/**
 * Endpoints that return an article: one for all clients, and one for e-readers, which fetch pictures from this service
 * (docs/api/text.md).
 */
@Controller()
export class ArticlesController {
  constructor(
    private readonly articles: ArticlesService,
    private readonly addresses: ImageAddresses,
    private readonly config: Config,
  ) {}

  @V3Route('text')
  @RequirePermission(Permission.Retrieve)
  @Describes(TEXT_OPERATION)
  async text(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: ArticleRequest,
    @Res() response: Response,
  ): Promise<void> {
    const article = await this.articles.read(userId, request.url);
    const view = { placeholders: request.placeholders(), imageAddress: (src: string) => src };
    sendV3(response, 200, presentArticle(article, view));
  }

  @V3Route('download')
  @RequirePermission(Permission.Retrieve)
  @Describes(DOWNLOAD_OPERATION)
  async download(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: ArticleRequest,
    @Req() call: Request,
    @Res() response: Response,
  ): Promise<void> {
    const article = await this.articles.read(userId, request.url);
    const here = ownAddress(call, this.config.publicUrl);
    const imageAddress = (src: string, number: number): string =>
      `${here}${this.addresses.pathOf(userId, { pageId: article.pageId, number, src })}`;
    const view = { placeholders: request.placeholders(), imageAddress };
    sendV3(response, 200, presentArticle(article, view));
  }
}
