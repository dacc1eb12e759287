import { Controller, Param, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import type { AnnotationResponse } from '../annotations/annotation.presenter.js';
import { EntryRepository } from '../entries/entry.repository.js';
import { EntryReader } from '../entries/entry-reader.service.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { presentTag, type TagResponse } from './tag.presenter.js';

const LABELS = new Intl.Collator('en');

interface CountedTagResponse extends TagResponse {
  readonly nbEntries: number;
}

interface AnnotationsResponse {
  readonly total: number;
  readonly rows: readonly AnnotationResponse[];
}

/** Returns tags and annotations (docs/api/wallabag.md). */
@Controller('wallabag/api')
export class TagsController {
  constructor(
    private readonly entries: EntryRepository,
    private readonly reader: EntryReader,
  ) {}

  @WallabagRoute(RequestMethod.GET, 'tags', Permission.Retrieve)
  async list(@CurrentPrincipal() { userId }: Principal): Promise<CountedTagResponse[]> {
    const tags = (await this.entries.tags(userId)).map((tag) => ({
      ...presentTag(tag),
      nbEntries: tag.itemCount,
    }));
    return tags.toSorted((one, other) => LABELS.compare(one.label, other.label));
  }

  @WallabagRoute(RequestMethod.GET, 'entries/:entry/tags', Permission.Retrieve)
  async ofEntry(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
  ): Promise<readonly TagResponse[]> {
    const { tags } = await this.reader.shown(user, entry);
    return tags;
  }

  @WallabagRoute(RequestMethod.GET, 'annotations/:entry', Permission.Retrieve)
  async annotations(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
  ): Promise<AnnotationsResponse> {
    const { annotations } = await this.reader.shown(user, entry);
    return { total: annotations.length, rows: annotations };
  }
}
