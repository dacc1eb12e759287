import { Controller, Param, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import { EntryRepository } from '../entries/entry.repository.js';
import { EntryReader } from '../entries/entry-reader.service.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { sendWallabag } from '../wire/wallabag-answers.js';
import { presentTag } from './tag.presenter.js';

const LABELS = new Intl.Collator('en');

/** Returns tags and annotations (docs/api/wallabag.md). */
@Controller('wallabag/api')
export class TagsController {
  constructor(
    private readonly entries: EntryRepository,
    private readonly reader: EntryReader,
  ) {}

  @WallabagRoute(RequestMethod.GET, 'tags', Permission.Retrieve)
  async list(@CurrentPrincipal() { userId }: Principal, @Res() response: Response): Promise<void> {
    const tags = (await this.entries.tags(userId)).map((tag) => ({
      ...presentTag(tag),
      nbEntries: tag.itemCount,
    }));
    sendWallabag(
      response,
      tags.toSorted((one, other) => LABELS.compare(one.label, other.label)),
    );
  }

  @WallabagRoute(RequestMethod.GET, 'entries/:entry/tags', Permission.Retrieve)
  async ofEntry(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Res() response: Response,
  ): Promise<void> {
    const { tags } = await this.reader.shown(user, entry);
    sendWallabag(response, tags);
  }

  @WallabagRoute(RequestMethod.GET, 'annotations/:entry', Permission.Retrieve)
  async annotations(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Res() response: Response,
  ): Promise<void> {
    const { annotations } = await this.reader.shown(user, entry);
    sendWallabag(response, { total: annotations.length, rows: annotations });
  }
}
