import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  NotFoundException,
  Param,
  Query,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import type { PasswordHolder } from '../../auth/consumers/application-passwords.service.js';
import { Permission } from '../../auth/consumers/permission.js';
import { isId, textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { isFromBrowser } from '../../platform/http/request-origin.js';
import { type Message, message, type MessageKey } from '../../platform/i18n/message.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import { SendService } from '../../reading-list/send/send.service.js';
import { titleOf, updatedOf } from './book-entry.js';
import { linkEntry } from './catalogue-feed.js';
import { BrowserRequestError } from './opds.errors.js';
import { CurrentHolder, OpdsGuard, OpdsPermission } from './opds.guard.js';
import { sendFeed, writerOf } from './opds-answers.js';
import { OpdsErrorFilter } from './opds-error.filter.js';
import { placeIn, ShelfReader } from './shelf-reader.js';
import { pagePath, type Shelf } from './shelves.js';

const UNREAD: Shelf = {
  title: message('opds.mark.title'),
  path: '/opds/mark',
  filter: { state: 'unread' },
  time: 'time_added',
};

/**
 * Rejects requests from browsers, to prevent cross-site request forgery. A browser that has stored
 * the password also sends it with requests that other sites trigger.
 */
class NoBrowserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isFromBrowser(context.switchToHttp().getRequest<Request>())) {
      throw new BrowserRequestError();
    }
    return true;
  }
}

/**
 * Lets a user mark items as read on an e-reader. E-readers can only open links, so a GET request archives the item. A
 * HEAD request does not change the item (docs/decisions/0072).
 */
@Public()
@UseFilters(OpdsErrorFilter)
@UseGuards(OpdsGuard, NoBrowserGuard)
@OpdsPermission(Permission.Modify)
@Controller('opds/mark')
export class MarksController {
  constructor(
    private readonly shelves: ShelfReader,
    private readonly items: ItemRepository,
    private readonly sending: SendService,
  ) {}

  @Get()
  async unread(
    @CurrentHolder() holder: PasswordHolder,
    @Query() query: object,
    @Res() response: Response,
  ): Promise<void> {
    const place = placeIn(UNREAD, textOf(query, 'after') || undefined);
    if (place === undefined) {
      throw new NotFoundException();
    }
    await sendFeed(response, 'navigation', async () => {
      const { rows, next } = await this.shelves.read(holder, UNREAD, place);
      const writer = writerOf(response);
      return {
        path: pagePath(UNREAD.path, place.after),
        title: UNREAD.title,
        updated: holder.list.version,
        nextPath: next && pagePath(UNREAD.path, next),
        entries: rows.map((row) => linkEntry(markLink(row), writer)),
      };
    });
  }

  @Get(':item')
  async mark(
    @CurrentHolder() holder: PasswordHolder,
    @Param('item') itemId: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.change({ holder, itemId, response }, READ);
  }

  @Get(':item/undo')
  async undo(
    @CurrentHolder() holder: PasswordHolder,
    @Param('item') itemId: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.change({ holder, itemId, response }, UNDONE);
  }

  private async change(
    { holder, itemId, response }: Marking,
    { action, status, pathOf, done, offer }: Change,
  ): Promise<void> {
    const row = await this.rowOf(holder, itemId);
    await sendFeed(response, 'navigation', async () => {
      // An item that already has the wanted status is left unchanged, so that its time of archiving stays the same.
      if (row.status !== status) {
        await this.send(holder, { action, item_id: itemId });
      }
      const updated = updatedOf(row);
      const entry = { ...offer(itemId), kind: 'navigation', updated } as const;
      const entries = [linkEntry(entry, writerOf(response))];
      const title = message(done, { title: titleOf(row) });
      return { path: pathOf(itemId), title, updated, entries };
    });
  }

  private async rowOf({ userId }: PasswordHolder, itemId: string): Promise<ItemRow> {
    const row = isId(itemId)
      ? (await this.items.rowsById(userId, [itemId])).get(itemId)
      : undefined;
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    return row;
  }

  /**
   * Applies one action to an item.
   *
   * @throws ItemNotFoundError if the item was deleted in the meantime
   */
  private async send({ userId }: PasswordHolder, action: object): Promise<void> {
    const [outcome] = await this.sending.send(userId, [action], false);
    if (outcome?.ok !== true) {
      throw new ItemNotFoundError();
    }
  }
}

interface Marking {
  readonly holder: PasswordHolder;
  readonly itemId: string;
  readonly response: Response;
}

interface Change {
  readonly action: 'archive' | 'readd';
  /** The status that the action sets. An item that already has this status needs no change. */
  readonly status: number;
  readonly pathOf: (itemId: string) => string;
  /**
   * The title of the response feed, as a message key. The message contains the title of the item.
   */
  readonly done: MessageKey;
  /** Returns the catalogue entry with which the user can undo the action. */
  readonly offer: (itemId: string) => Offer;
}

interface Offer {
  readonly title: Message;
  readonly text: Message;
  readonly path: string;
}

const markPath = (itemId: string): string => `/opds/mark/${itemId}`;
const undoPath = (itemId: string): string => `${markPath(itemId)}/undo`;

const markLink = (row: ItemRow) =>
  ({
    title: titleOf(row),
    text: message('opds.mark.hint'),
    path: markPath(row.item_id),
    kind: 'navigation',
    updated: updatedOf(row),
  }) as const;

const READ: Change = {
  action: 'archive',
  status: 1,
  pathOf: markPath,
  done: 'opds.mark.done',
  offer: (itemId) => ({
    title: message('opds.undo.title'),
    text: message('opds.undo.hint'),
    path: undoPath(itemId),
  }),
};

const UNDONE: Change = {
  action: 'readd',
  status: 0,
  pathOf: undoPath,
  done: 'opds.undo.done',
  offer: (itemId) => ({
    title: message('opds.mark.title'),
    text: message('opds.mark.hint'),
    path: markPath(itemId),
  }),
};
