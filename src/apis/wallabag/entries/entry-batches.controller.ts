import { Body, Controller, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { WallabagRoute } from '../wallabag-route.js';
import { EntryRepository } from './entry.repository.js';
import { MAX_ADDED, type NamedEntry, TagListRequest, UrlsRequest } from './entry-batch.request.js';
import { EntryBatches } from './entry-batches.service.js';

interface NumberedEntry {
  readonly url: string;
  /** The numeric id of the entry. False if the entry does not exist. */
  readonly entry: number | false;
}

interface DeletedEntry {
  readonly url: string;
  /** True if the entry was in the list. */
  readonly entry: boolean;
}

/** Adds, deletes or tags several entries in one call. The URLs in the call identify the entries. */
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
  ): Promise<NumberedEntry[]> {
    if (urls.length > MAX_ADDED) {
      throw new ValidationFailedError([fieldProblem('urls', `must be at most ${MAX_ADDED}`)]);
    }
    const ids = await this.batches.save(userId, urls);
    return this.numbered(userId, urls, ids);
  }

  @WallabagRoute(RequestMethod.DELETE, 'list', Permission.Modify)
  async delete(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { urls }: UrlsRequest,
  ): Promise<DeletedEntry[]> {
    const deleted = await this.batches.delete(userId, urls);
    return urls.map(({ url }, at) => ({ url, entry: deleted[at] === true }));
  }

  @WallabagRoute(RequestMethod.POST, 'tags/lists', Permission.Modify)
  async addTags(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { list }: TagListRequest,
  ): Promise<NumberedEntry[]> {
    const ids = await this.batches.tag(userId, list, 'tags_add');
    return this.numbered(userId, list, ids);
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/list', Permission.Modify)
  async removeTags(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { list }: TagListRequest,
  ): Promise<NumberedEntry[]> {
    const ids = await this.batches.tag(userId, list, 'tags_remove');
    return this.numbered(userId, list, ids);
  }

  private async numbered(
    userId: string,
    entries: readonly NamedEntry[],
    ids: readonly (string | undefined)[],
  ): Promise<NumberedEntry[]> {
    const known = ids.filter((id) => id !== undefined);
    const rows = await this.entries.byItemIds(userId, known);
    const numbers = new Map(rows.map((row) => [row.item_id, row.number]));
    return entries.map(({ url }, at) => ({ url, entry: numbers.get(ids[at] ?? '') ?? false }));
  }
}
