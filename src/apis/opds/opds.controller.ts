import {
  Controller,
  Get,
  NotFoundException,
  Param,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { ImageAddresses } from '../../articles/images/image-addresses.js';
import { thumbnailSource } from '../../articles/images/images.service.js';
import type { PasswordHolder } from '../../auth/consumers/application-passwords.service.js';
import { Permission } from '../../auth/consumers/permission.js';
import { Clock } from '../../platform/common/clock.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { Public } from '../../platform/http/public.js';
import { message } from '../../platform/i18n/message.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { TagRepository } from '../../reading-list/list/tag.repository.js';
import { SavedLists } from '../../reading-list/saved-lists/saved-lists.service.js';
import { bookEntry } from './book-entry.js';
import { DESCRIPTION_TYPE, linkEntry, presentDescription, SEARCH_PATH } from './catalogue-feed.js';
import { shelfOfList } from './list-shelf.js';
import { CurrentHolder, OpdsGuard, OpdsPermission } from './opds.guard.js';
import { sendFeed, sendXml, writerOf } from './opds-answers.js';
import { OpdsErrorFilter } from './opds-error.filter.js';
import { placeIn, ShelfReader } from './shelf-reader.js';
import { pagePath, type Shelf, shelfOfSearch, shelfOfTag, SHELVES } from './shelves.js';

/** Serves the reading list as a catalogue of books for e-readers (OPDS 1.2; docs/use/opds.md). */
@Public()
@UseFilters(OpdsErrorFilter)
@UseGuards(OpdsGuard)
@OpdsPermission(Permission.Retrieve)
@Controller('opds')
export class OpdsController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly shelves: ShelfReader,
    private readonly tags: TagRepository,
    private readonly pictures: ImageAddresses,
    private readonly config: Config,
    private readonly lists: SavedLists,
    private readonly clock: Clock,
  ) {}

  @Get()
  async start(@CurrentHolder() holder: PasswordHolder, @Res() response: Response): Promise<void> {
    await sendFeed(response, 'navigation', async () => {
      const writer = writerOf(response);
      const updated = holder.list.version;
      const others = [TAGS, ...(holder.permissions.includes(Permission.Modify) ? [MARKS] : [])];
      const saved = (await this.lists.all(holder.userId)).flatMap(
        (list) => shelfOfList(list, this.clock.now()) ?? [],
      );
      const entries = [
        ...[...SHELVES.values(), ...saved].map((shelf) => ({
          ...shelf,
          kind: 'acquisition' as const,
        })),
        ...others.map((other) => ({ ...other, kind: 'navigation' as const })),
      ].map((entry) => linkEntry({ ...entry, updated }, writer));
      return { path: '/opds', title: 'Satchel', updated, entries };
    });
  }

  @Get('search.xml')
  description(@Req() request: Request, @Res() response: Response): void {
    const base = ownAddress(request, this.config.publicUrl);
    sendXml(
      response,
      DESCRIPTION_TYPE,
      presentDescription(`${base}${SEARCH_PATH}`, writerOf(response)),
    );
  }

  @Get('search')
  async search(
    @CurrentHolder() holder: PasswordHolder,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    await this.show({ holder, query, response }, shelfOfSearch(textOf(query, 'q')));
  }

  @Get('tags')
  async allTags(@CurrentHolder() holder: PasswordHolder, @Res() response: Response): Promise<void> {
    await sendFeed(response, 'navigation', async () => {
      const writer = writerOf(response);
      const updated = holder.list.version;
      const names = (await this.tags.names(holder.userId)) ?? [];
      const entries = names
        .map((name) => ({ shelf: shelfOfTag(name), title: name }))
        .flatMap(({ shelf, title }) =>
          shelf === undefined
            ? []
            : [linkEntry({ ...shelf, title, kind: 'acquisition', updated }, writer)],
        );
      return { ...TAGS, updated, entries };
    });
  }

  @Get('tag')
  async tag(
    @CurrentHolder() holder: PasswordHolder,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    await this.show({ holder, query, response }, shelfOfTag(textOf(query, 'name')));
  }

  @Get('list')
  async list(
    @CurrentHolder() holder: PasswordHolder,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    const list = await this.lists.named(holder.userId, textOf(query, 'name'));
    await this.show({ holder, query, response }, list && shelfOfList(list, this.clock.now()));
  }

  @Get(':shelf')
  async shelf(
    @CurrentHolder() holder: PasswordHolder,
    @Param('shelf') name: string,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    await this.show({ holder, query, response }, SHELVES.get(name));
  }

  private async show({ holder, query, response }: Asking, shelf: Shelf | undefined): Promise<void> {
    const place = shelf && placeIn(shelf, textOf(query, 'after') || undefined);
    if (shelf === undefined || place === undefined) {
      throw new NotFoundException();
    }
    await sendFeed(response, 'acquisition', async () => {
      const { rows, next } = await this.shelves.read(holder, shelf, place);
      return {
        path: pagePath(shelf.path, place.after),
        title: shelf.title,
        updated: holder.list.version,
        nextPath: next && pagePath(shelf.path, next),
        entries: rows.map((row) => this.entryOf(holder.userId, row, response)),
      };
    });
  }

  private entryOf(userId: string, row: ItemRow, response: Response): string {
    const src = thumbnailSource(row);
    const picturePath = src && this.pictures.thumbnailPathOf({ userId, itemId: row.item_id, src });
    return bookEntry({ userId, row, picturePath }, writerOf(response));
  }
}

interface Asking {
  readonly holder: PasswordHolder;
  readonly query: object;
  readonly response: Response;
}

const TAGS = {
  title: message('opds.tags.title'),
  text: message('opds.tags.text'),
  path: '/opds/tags',
};

const MARKS = {
  title: message('opds.mark.title'),
  text: message('opds.mark.text'),
  path: '/opds/mark',
};
