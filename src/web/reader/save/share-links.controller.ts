import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import type { Answer } from '../../../platform/http/answer.js';
import { Page } from '../../page.js';
import { openSavePage } from './share-links.js';

/**
 * The paths at which other services accept pages to save. Feed readers and scripts can be configured to open such
 * paths.
 */
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

/**
 * Redirects the share paths of other services to the save page. The save page asks for confirmation
 * (docs/use/reader.md).
 */
@Page('', { for: 'everyone' })
export class ShareLinksController {
  @Get([...SHARE_PATHS])
  ask(@Req() { query }: Request): Answer {
    return openSavePage(query);
  }
}
