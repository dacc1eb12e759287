import { Get, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, json } from '../../../platform/http/answer.js';
import { DEFAULT_LANGUAGE, isTextLanguage } from '../../../platform/i18n/languages.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress } from '../../../reading-list/list/address.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { Page } from '../../page.js';
import { assetsIn } from '../../page-assets.js';
import { type ShownPage, Template } from '../../template.js';
import { VisitorGuard } from '../../visitors.js';

/** The maximum number of unread items that a browser keeps for offline reading. */
const KEPT_ITEMS = 100;
/**
 * The content security policy that is sent with the script of the service worker. Browsers apply this policy to the
 * requests of the service worker, instead of the policy of the page.
 */
const WORKER_POLICY = `default-src 'none';script-src 'self';connect-src 'self'`;

const offlinePage = new Template<object>('reader/offline/offline', { kind: 'reader' });
const offlineSavePage = new Template<object>('reader/offline/offline-save', { kind: 'reader' });
const offlineTagsPage = new Template<object>('reader/offline/offline-tags', { kind: 'reader' });

/** Serves the service worker, and the data that browsers keep for offline reading (docs/use/reader.md). */
@Page('', { for: 'everyone' })
export class OfflineController {
  constructor(private readonly list: ListReader) {}

  /**
   * Serves the script of the service worker from the root path, because a service worker controls only addresses under
   * the path of its script. The script has no hash in its address, and imports the module that has one. A change of this
   * module therefore changes the script, and browsers update the service worker. The address names the language of its
   * texts, so that a user who changes the language gets another service worker.
   */
  @Get('service-worker.js')
  worker(@Req() { query }: Request, @Res({ passthrough: true }) response: Response): string {
    const language = textOf(query, 'language');
    const assets = assetsIn(isTextLanguage(language) ? language : DEFAULT_LANGUAGE);
    const { hash, hashedName } = assets.get('service-worker.js');
    response
      .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': WORKER_POLICY })
      .set('ETag', `"${hash}"`)
      .type('text/javascript');
    return `import './pages/${hashedName}';\n`;
  }

  /**
   * Shows a notice instead of a page that the browser has not stored for offline reading. The
   * notice is the same for all users.
   */
  @Get('offline')
  offline(): ShownPage {
    return offlinePage.page({});
  }

  /**
   * Shows the form for saving a page without a network. The service worker queues this form, so the
   * form contains no CSRF token.
   */
  @Get('offline/save')
  save(): ShownPage {
    return offlineSavePage.page({});
  }

  /**
   * Shows the form for the tags of a stored item without a network. The service worker queues this
   * form, so the form contains no CSRF token.
   */
  @Get('offline/tags')
  tags(): ShownPage {
    return offlineTagsPage.page({});
  }

  /**
   * Returns the items that a browser stores for offline reading. Also returns the id of their user,
   * and the CSRF token that the browser sends with queued changes.
   */
  @Get('list/offline.json')
  @UseGuards(VisitorGuard)
  async index(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<Answer> {
    const { rows } = await this.list.page(userId, {
      filter: { state: 'unread' },
      order: 'newest',
      page: { count: KEPT_ITEMS, offset: 0 },
    });
    return json({ user: userId, csrfToken: csrfTokenOf(request), items: rows.map(entryOf) });
  }
}

const entryOf = (row: ItemRow) => ({
  id: row.item_id,
  version: `${row.time_updated}.${row.resolved_id}`,
  title: resolvedTitleOf(row),
  site: normalAddress(row.given_url)?.domain ?? '',
  tags: row.tags,
});
