import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Public } from '../../../platform/http/public.js';
import { PageErrorFilter } from '../../page-error.filter.js';
import { openSavePage } from './share-links.js';

/** The share paths of other services. Feed readers and scripts have settings for such paths. */
export const SHARE_PATHS: readonly string[] = [
  // wallabag 2 and diaspora*
  'bookmarklet',
  'bagit',
  // LinkAce
  'bookmarklet/add',
  // linkding
  'bookmarks/new',
  // Omnivore
  'api/save',
  // Mastodon and Known
  'share',
  // Nextcloud Bookmarks
  'apps/bookmarks/bookmarklet',
];

/** Redirects share addresses to the save page. The save page asks for confirmation (docs/use/reader.md). */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class ShareLinksController {
  @Get([...SHARE_PATHS])
  ask(@Req() { query }: Request, @Res() response: Response): void {
    openSavePage(response, query);
  }
}
