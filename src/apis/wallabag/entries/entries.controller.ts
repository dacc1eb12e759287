import { Body, Controller, Param, Req, RequestMethod, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { WALLABAG_BASE } from '../wire/wallabag-paths.js';
import {
  EntriesRequest,
  EntryRequest,
  pageOf,
  type PageParams,
  SearchRequest,
} from './entries.request.js';
import type { EntryResponse } from './entry.presenter.js';
import { envelopeOf, filtersOf, sendEntryList } from './entry-list.answer.js';
import { EntryLists } from './entry-lists.service.js';
import type { EntriesFound } from './entry-pages.service.js';
import { EntryReader } from './entry-reader.service.js';

interface ListCall {
  readonly path: 'entries' | 'search';
  readonly user: WallabagUser;
  readonly params: PageParams;
  readonly request: Request;
}

/** Returns the items of a list, which wallabag calls entries (docs/api/wallabag.md, "Entries"). */
@Controller('wallabag/api')
export class EntriesController {
  constructor(
    private readonly config: Config,
    private readonly lists: EntryLists,
    private readonly reader: EntryReader,
  ) {}

  // eslint-disable-next-line @typescript-eslint/max-params -- Nest passes what each of them asks for
  @WallabagRoute(RequestMethod.GET, 'entries', Permission.Retrieve)
  async list(
    @CurrentPrincipal() principal: Principal,
    @CurrentWallabagUser() user: WallabagUser,
    @Body() params: EntriesRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.lists.find(principal, params);
    await this.send(response, found, { path: 'entries', user, params, request });
  }

  // eslint-disable-next-line @typescript-eslint/max-params -- Nest passes what each of them asks for
  @WallabagRoute(RequestMethod.GET, 'search', Permission.Retrieve)
  async search(
    @CurrentPrincipal() principal: Principal,
    @CurrentWallabagUser() user: WallabagUser,
    @Body() params: SearchRequest,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.lists.search(principal, params);
    await this.send(response, found, { path: 'search', user, params, request });
  }

  @WallabagRoute(RequestMethod.GET, 'entries/:entry', Permission.Retrieve)
  async show(
    @CurrentPrincipal() { userId }: Principal,
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() { detail = 'full' }: EntryRequest,
  ): Promise<EntryResponse> {
    const row = await this.reader.named(userId, entry);
    return this.reader.presentOne(user, row, detail);
  }

  private async send(
    response: Response,
    { rows, ...found }: EntriesFound,
    { path, user, params, request }: ListCall,
  ): Promise<void> {
    const base = ownAddress(request, this.config.publicUrl);
    const envelope = envelopeOf({
      address: `${base}${WALLABAG_BASE}/api/${path}`,
      filters: filtersOf(params),
      page: pageOf(params),
      ...found,
    });
    const entries = this.reader.presented(user, rows, params.detail ?? 'full');
    await sendEntryList(response, envelope, entries);
  }
}
