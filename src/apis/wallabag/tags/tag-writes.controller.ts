import { Body, Controller, NotFoundException, Param, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import type { Tag } from '../../../reading-list/entities/tag.entity.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import type { EntryResponse } from '../entries/entry.presenter.js';
import { EntryAnswers } from '../entries/entry-answers.service.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
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
  ): Promise<EntryResponse> {
    const itemId = await this.answers.itemId(user, entry);
    await this.tags.add(String(user.id), itemId, tags);
    return this.answers.entry(user, itemId);
  }

  @WallabagRoute(RequestMethod.DELETE, 'entries/:entry/tags/:tag', Permission.Modify)
  async remove(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Param('tag') tag: string,
  ): Promise<EntryResponse> {
    const itemId = await this.answers.itemId(user, entry);
    await this.tags.remove(String(user.id), itemId, await this.numbered(String(user.id), tag));
    return this.answers.entry(user, itemId);
  }

  @WallabagRoute(RequestMethod.DELETE, 'tag/label', Permission.Modify)
  async deleteLabel(
    @CurrentWallabagUser() user: WallabagUser,
    @Body() { tag }: TagLabelRequest,
  ): Promise<TagResponse> {
    const [deleted] = await this.deleted(String(user.id), [tag]);
    return deleted;
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/label', Permission.Modify)
  async deleteLabels(
    @CurrentWallabagUser() user: WallabagUser,
    @Body() { tags = [] }: TagLabelsRequest,
  ): Promise<TagResponse[]> {
    return this.deleted(String(user.id), tags);
  }

  @WallabagRoute(RequestMethod.DELETE, 'tags/:tag', Permission.Modify)
  async delete(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('tag') tag: string,
  ): Promise<TagResponse> {
    const { name } = await this.numbered(String(user.id), tag);
    const [deleted] = await this.deleted(String(user.id), namesOf([name]));
    return deleted;
  }

  private async numbered(userId: string, text: string): Promise<Tag> {
    const number = numberIn(text);
    const tag = number === undefined ? undefined : await this.tags.numbered(userId, number);
    if (tag === undefined) {
      throw new NotFoundException();
    }
    return tag;
  }

  private async deleted(
    userId: string,
    tags: readonly TagName[],
  ): Promise<[TagResponse, ...TagResponse[]]> {
    const [first, ...others] = await this.tags.deleteEverywhere(userId, tags);
    if (first === undefined) {
      throw new NotFoundException();
    }
    return [presentTag(first), ...others.map(presentTag)];
  }
}
