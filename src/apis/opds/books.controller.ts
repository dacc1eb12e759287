import {
  Controller,
  Get,
  NotFoundException,
  Param,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';

import { EpubDownloads } from '../../articles/epub/epub-downloads.js';
import type { PasswordHolder } from '../../auth/consumers/application-passwords.service.js';
import { Permission } from '../../auth/consumers/permission.js';
import { isId } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { ItemRepository } from '../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../reading-list/reading-list.errors.js';
import { CurrentHolder, OpdsGuard, OpdsPermission } from './opds.guard.js';
import { OpdsErrorFilter } from './opds-error.filter.js';

/**
 * Serves the books of the catalogue. Each book contains one article, and is created when it is downloaded. A download
 * does not mark the article as read.
 */
@Public()
@UseFilters(OpdsErrorFilter)
@UseGuards(OpdsGuard)
@OpdsPermission(Permission.Retrieve)
@Controller('opds/items')
export class OpdsBooksController {
  constructor(
    private readonly items: ItemRepository,
    private readonly downloads: EpubDownloads,
  ) {}

  /**
   * Accepts any file name that ends with `.epub`, because some e-readers name the downloaded file after the last part
   * of the address.
   */
  @Get(':item/:name')
  async book(
    @CurrentHolder() { userId }: PasswordHolder,
    @Param() { item, name }: Readonly<Record<'item' | 'name', string>>,
    @Res() response: Response,
  ): Promise<void> {
    if (!isId(item) || !name.endsWith('.epub')) {
      throw new NotFoundException();
    }
    const row = (await this.items.rowsById(userId, [item])).get(item);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    await this.downloads.sendArticle(response, { userId, row });
  }
}
