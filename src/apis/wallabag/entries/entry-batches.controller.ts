import { Body, Controller, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { WallabagRoute } from '../wallabag-route.js';
import { sendWallabag } from '../wire/wallabag-answers.js';
import { EntryRepository } from './entry.repository.js';
import { MAX_ADDED, type NamedEntry, TagListRequest, UrlsRequest } from './entry-batch.request.js';
import { EntryBatches } from './entry-batches.service.js';

/** Writes several entries, which are identified by their URLs. */
@Controller('wallabag/api/entries')
export class EntryBatchesController {
  constructor(
    private readonly batches: EntryBatches,
    private readonly entries: EntryRepository,
  ) {}

  @WallabagRoute(RequestMethod.POST, 'lists', Permission.Add)
  async add(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { urls }: UrlsRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (urls.length > MAX_ADDED) {
      throw new ValidationFailedError([fieldProblem('urls', `must be at most ${MAX_ADDED}`)]);
    }
    const ids = await this.batches.save(userId, urls);
    sendWallabag(response, await this.numbered(userId, urls, ids));
  }

  @WallabagRoute(RequestMethod.DELETE, 'list', Permission.Modify)
  async delete(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { urls }: UrlsRequest,
    @Res() response: Response,
  ): Promise<void> {
    const deleted = await this.batches.delete(userId, urls);
    sendWallabag(
      response,
      urls.map(({ url }, at) => ({ url, entry: deleted[at] })),
    );
  }

  @WallabagRoute(RequestMethod.POST, 'tags/lists', Permission.Modify)
  async addTags(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { list }: TagListRequest,
    @Res() response: Response,
  ): Promise<void> {
    const ids = await this.batches.tag(userId, list, 'tags_add');
    sendWallabag(response, await this.numbered(userId, list, ids));
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/list', Permission.Modify)
  async removeTags(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { list }: TagListRequest,
    @Res() response: Response,
  ): Promise<void> {
    const ids = await this.batches.tag(userId, list, 'tags_remove');
    sendWallabag(response, await this.numbered(userId, list, ids));
  }

  private async numbered(
    userId: string,
    entries: readonly NamedEntry[],
    ids: readonly (string | undefined)[],
  ): Promise<{ readonly url: string; readonly entry: number | false }[]> {
    const known = ids.filter((id) => id !== undefined);
    const rows = await this.entries.byItemIds(userId, known);
    const numbers = new Map(rows.map((row) => [row.item_id, row.number]));
    return entries.map(({ url }, at) => ({ url, entry: numbers.get(ids[at] ?? '') ?? false }));
  }
}
