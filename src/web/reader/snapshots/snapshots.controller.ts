import { Get, NotFoundException, Param, Post, Req } from '@nestjs/common';
import type { Request, Response } from 'express';

import { SafeSnapshots } from '../../../articles/snapshots/safe-snapshots.js';
import { SNAPSHOT_POLICY } from '../../../articles/snapshots/snapshot-policy.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Answer, redirect } from '../../../platform/http/answer.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import type { SnapshotHead } from '../../../reading-list/snapshots/snapshot.repository.js';
import { Snapshots } from '../../../reading-list/snapshots/snapshots.service.js';
import { byteSize } from '../../../reading-list/storage/byte-size.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf } from '../done-notice.js';
import {
  deleteSnapshotPage,
  type SnapshotCard,
  snapshotPage,
  snapshotsPage,
} from './snapshots.view.js';

const PAGE_SIZE = 50;
const PAGE_NUMBER = /^[1-9]\d{0,5}$/;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The headers of the document of a snapshot. `sandbox` gives it an opaque origin, without scripts and forms, also if it
 * is opened outside of its page. Its links open normal tabs.
 */
const CONTENT_HEADERS = {
  'Content-Security-Policy': `sandbox allow-popups allow-popups-to-escape-sandbox; ${SNAPSHOT_POLICY}; frame-ancestors 'self'`,
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
} as const;

class SnapshotDocument extends Answer {
  constructor(
    private readonly html: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super();
  }

  override sendTo(response: Response): void {
    response.set(CONTENT_HEADERS).set(this.headers).type('html').send(this.html);
  }
}

/** Lists, shows and deletes the snapshots of a user (docs/decisions/0142). */
@Page('snapshots')
export class SnapshotsController {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly items: ItemRepository,
    private readonly safeSnapshots: SafeSnapshots,
  ) {}

  @Get()
  async list(@CurrentUser() { id: userId }: User, @Req() { query }: Request): Promise<ShownPage> {
    const number = pageNumberIn(query);
    const page = { count: PAGE_SIZE + 1, offset: (number - 1) * PAGE_SIZE };
    const heads = await this.snapshots.latest(userId, page);
    return snapshotsPage.page({
      section: 'list',
      done: doneNoticeOf(query),
      path: '/snapshots',
      snapshots: await this.cards(userId, heads.slice(0, PAGE_SIZE)),
      next: heads.length > PAGE_SIZE ? number + 1 : undefined,
    });
  }

  /** @throws SnapshotNotFoundError */
  @Get(':id')
  async show(@CurrentUser() { id: userId }: User, @Param('id') id: string): Promise<ShownPage> {
    return snapshotPage.page({ section: 'list', snapshot: await this.card(userId, id) });
  }

  /** @throws SnapshotNotFoundError */
  @Get(':id/delete')
  async confirm(@CurrentUser() { id: userId }: User, @Param('id') id: string): Promise<ShownPage> {
    return deleteSnapshotPage.page({ section: 'list', snapshot: await this.card(userId, id) });
  }

  /** @throws SnapshotNotFoundError */
  @Get(':id/content')
  async content(@CurrentUser() { id: userId }: User, @Param('id') id: string): Promise<Answer> {
    return new SnapshotDocument(await this.safeHtmlOf(userId, id));
  }

  /** @throws SnapshotNotFoundError */
  @Get(':id/download')
  async download(@CurrentUser() { id: userId }: User, @Param('id') id: string): Promise<Answer> {
    const { createdAt } = await this.snapshots.head(userId, snapshotIdOf(id));
    const name = `snapshot-${createdAt.toISOString().slice(0, 10)}.html`;
    return new SnapshotDocument(await this.safeHtmlOf(userId, id), {
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  }

  @Post(':id/delete')
  async delete(@CurrentUser() { id: userId }: User, @Param('id') id: string): Promise<Answer> {
    await this.snapshots.delete(userId, snapshotIdOf(id));
    return redirect('/snapshots?done=snapshot-deleted');
  }

  private safeHtmlOf(userId: string, id: string): Promise<string> {
    const snapshotId = snapshotIdOf(id);
    return this.safeSnapshots.show(userId, () => this.snapshots.htmlOf(userId, snapshotId));
  }

  private async card(userId: string, id: string): Promise<SnapshotCard> {
    const head = await this.snapshots.head(userId, snapshotIdOf(id));
    const [snapshot] = await this.cards(userId, [head]);
    if (snapshot === undefined) {
      throw new NotFoundException();
    }
    return snapshot;
  }

  private async cards(userId: string, heads: readonly SnapshotHead[]): Promise<SnapshotCard[]> {
    const ids = [...new Set(heads.map(({ itemId }) => itemId))];
    const rows = await this.items.rowsById(userId, ids);
    return heads.flatMap(({ snapshotId, itemId, createdAt, bytes }) => {
      const row = rows.get(itemId);
      const title = row && resolvedTitleOf(row);
      return title === undefined
        ? []
        : [{ id: snapshotId, itemId, title, createdAt, size: byteSize(bytes) }];
    });
  }
}

/** @throws NotFoundException if the text is not the id of a snapshot */
function snapshotIdOf(id: string): string {
  if (!ID.test(id)) {
    throw new NotFoundException();
  }
  return id;
}

function pageNumberIn(query: unknown): number {
  const page = textOf(query, 'page');
  return PAGE_NUMBER.test(page) ? Number(page) : 1;
}
