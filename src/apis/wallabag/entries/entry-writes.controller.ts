import { Body, Controller, Param, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { NotModifiedAnswer } from '../wire/wallabag-answers.js';
import type { EntryResponse } from './entry.presenter.js';
import { AddressRequest, EntryRequest } from './entry.request.js';
import { EntryAnswers } from './entry-answers.service.js';
import { DeletionRequest } from './entry-batch.request.js';
import { EntryWriter } from './entry-writer.service.js';

/** Adds, changes and deletes one entry. */
@Controller('wallabag/api/entries')
export class EntryWritesController {
  constructor(
    private readonly writer: EntryWriter,
    private readonly answers: EntryAnswers,
  ) {}

  @WallabagRoute(RequestMethod.POST, '', Permission.Add)
  async add(
    @CurrentWallabagUser() user: WallabagUser,
    @Body() { url }: AddressRequest,
    @Body() members: EntryRequest,
  ): Promise<EntryResponse> {
    const itemId = await this.writer.save(String(user.id), url, members.toChanges());
    return this.answers.entry(user, itemId);
  }

  @WallabagRoute(RequestMethod.PATCH, ':entry', Permission.Modify)
  async change(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() members: EntryRequest,
  ): Promise<EntryResponse> {
    const itemId = await this.answers.itemId(user, entry);
    await this.writer.change(String(user.id), itemId, members.toChanges());
    return this.answers.entry(user, itemId);
  }

  /**
   * Deletes an entry. Returns the entry as it was before the deletion, or only its id if the client requests only the
   * id.
   */
  @WallabagRoute(RequestMethod.DELETE, ':entry', Permission.Modify)
  async delete(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() { expect = 'entry' }: DeletionRequest,
  ): Promise<EntryResponse | Pick<EntryResponse, 'id'>> {
    const itemId = await this.answers.itemId(user, entry);
    const answer = expect === 'id' ? { id: Number(entry) } : await this.answers.entry(user, itemId);
    await this.writer.delete(String(user.id), itemId);
    return answer;
  }

  /** Fetches the page of an entry again. Returns status 304 if the page was not fetched again within five seconds. */
  @WallabagRoute(RequestMethod.PATCH, ':entry/reload', Permission.Modify)
  async reload(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
  ): Promise<EntryResponse | NotModifiedAnswer> {
    const itemId = await this.answers.itemId(user, entry);
    const isFetched = await this.writer.reload(String(user.id), itemId);
    return isFetched ? this.answers.entry(user, itemId) : new NotModifiedAnswer();
  }
}
