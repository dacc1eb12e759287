import { Body, Controller, Param, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { sendWallabag } from '../wire/wallabag-answers.js';
import { AddressRequest, EntryRequest } from './entry.request.js';
import { EntryAnswers } from './entry-answers.service.js';
import { DeletionRequest } from './entry-batch.request.js';
import { EntryWriter } from './entry-writer.service.js';

/** Writes one entry. Each answer contains the entry. */
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
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.writer.save(String(user.id), url, members.toChanges());
    sendWallabag(response, await this.answers.entry(user, itemId));
  }

  @WallabagRoute(RequestMethod.PATCH, ':entry', Permission.Modify)
  async change(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() members: EntryRequest,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.answers.itemId(user, entry);
    await this.writer.change(String(user.id), itemId, members.toChanges());
    sendWallabag(response, await this.answers.entry(user, itemId));
  }

  /** Deletes an entry. Returns the entry as it was before, or only its id if the client requests the id. */
  @WallabagRoute(RequestMethod.DELETE, ':entry', Permission.Modify)
  async delete(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() { expect = 'entry' }: DeletionRequest,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.answers.itemId(user, entry);
    const answer = expect === 'id' ? { id: Number(entry) } : await this.answers.entry(user, itemId);
    await this.writer.delete(String(user.id), itemId);
    sendWallabag(response, answer);
  }

  /** Fetches the page of an entry again. Returns 304 if the page was not fetched in time. */
  @WallabagRoute(RequestMethod.PATCH, ':entry/reload', Permission.Modify)
  async reload(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.answers.itemId(user, entry);
    if (await this.writer.reload(String(user.id), itemId)) {
      sendWallabag(response, await this.answers.entry(user, itemId));
    } else {
      response.status(304).end();
    }
  }
}
