import { Body, Controller, NotFoundException, Param, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission } from '../../../auth/consumers/permission.js';
import type { Tag } from '../../../reading-list/entities/tag.entity.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { EntryAnswers } from '../entries/entry-answers.service.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { sendWallabag } from '../wire/wallabag-answers.js';
import { numberIn } from '../wire/wallabag-paths.js';
import { presentTag, type TagResponse } from './tag.presenter.js';
import { TagLabelRequest, TagLabelsRequest } from './tag.requests.js';
import { namesOf, TagWriter } from './tag-writer.service.js';

/** Changes the tags of an entry, and removes tags from all entries. */
@Controller('wallabag/api')
export class TagWritesController {
  constructor(
    private readonly tags: TagWriter,
    private readonly answers: EntryAnswers,
  ) {}

  @WallabagRoute(RequestMethod.POST, 'entries/:entry/tags', Permission.Modify)
  async add(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() { tags = [] }: TagLabelsRequest,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.answers.itemId(user, entry);
    await this.tags.add(String(user.id), itemId, tags);
    sendWallabag(response, await this.answers.entry(user, itemId));
  }

  @WallabagRoute(RequestMethod.DELETE, 'entries/:entry/tags/:tag', Permission.Modify)
  async remove(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Param('tag') tag: string,
    @Res() response: Response,
  ): Promise<void> {
    const itemId = await this.answers.itemId(user, entry);
    await this.tags.remove(String(user.id), itemId, await this.numbered(String(user.id), tag));
    sendWallabag(response, await this.answers.entry(user, itemId));
  }

  @WallabagRoute(RequestMethod.DELETE, 'tag/label', Permission.Modify)
  async deleteLabel(
    @CurrentWallabagUser() user: WallabagUser,
    @Body() { tag }: TagLabelRequest,
    @Res() response: Response,
  ): Promise<void> {
    const [deleted] = await this.deleted(String(user.id), [tag]);
    sendWallabag(response, deleted);
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/label', Permission.Modify)
  async deleteLabels(
    @CurrentWallabagUser() user: WallabagUser,
    @Body() { tags = [] }: TagLabelsRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendWallabag(response, await this.deleted(String(user.id), tags));
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/:tag', Permission.Modify)
  async delete(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('tag') tag: string,
    @Res() response: Response,
  ): Promise<void> {
    const { name } = await this.numbered(String(user.id), tag);
    const [deleted] = await this.deleted(String(user.id), namesOf([name]));
    sendWallabag(response, deleted);
  }

  private async numbered(userId: string, text: string): Promise<Tag> {
    const number = numberIn(text);
    const tag = number === undefined ? undefined : await this.tags.numbered(userId, number);
    if (tag === undefined) {
      throw new NotFoundException();
    }
    return tag;
  }

  private async deleted(userId: string, tags: readonly TagName[]): Promise<TagResponse[]> {
    const deleted = await this.tags.deleteEverywhere(userId, tags);
    if (deleted.length === 0) {
      throw new NotFoundException();
    }
    return deleted.map(presentTag);
  }
}
