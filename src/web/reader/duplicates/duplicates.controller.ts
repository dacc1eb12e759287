import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import {
  Duplicates,
  type MergeOutcome,
} from '../../../reading-list/duplicates/duplicates.service.js';
import { FindDuplicates } from '../../../reading-list/duplicates/find-duplicates.service.js';
import { StorageFullError } from '../../../reading-list/reading-list.errors.js';
import { pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { doneNoticeOf, withDone, withNotice } from '../done-notice.js';
import {
  DuplicatesRequest,
  GROUPS_ON_PAGE,
  type GroupToMerge,
  mergeFormOf,
} from './duplicates.request.js';
import { duplicatesModel, duplicatesPage } from './duplicates.view.js';

/** Shows items that are the same article at several addresses, and merges them. */
@Page('list/duplicates')
export class DuplicatesController {
  constructor(
    private readonly found: FindDuplicates,
    private readonly duplicates: Duplicates,
  ) {}

  @Get()
  async show(@CurrentUser() { id: userId }: User, @Req() { query }: Request): Promise<ShownPage> {
    const { kind = 'certain', after } = parseRequest(DuplicatesRequest, query);
    const page = await this.found.page(userId, { kind, after, count: GROUPS_ON_PAGE });
    return duplicatesPage.page(duplicatesModel({ kind, after, ...page }, doneNoticeOf(query)));
  }

  @Post()
  async merge(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const { groups, back } = mergeFormOf(body);
    const outcomes = await this.mergeEach(userId, groups);
    const merged = groups.filter((_, at) => outcomes[at] === 'merged');
    const problem = outcomes.find((outcome) => outcome !== 'merged') ?? 'changed';
    if (merged.length === 0) {
      return redirect(pathOf(withNotice(back, `merge-${problem}`)));
    }
    const action = merged.length === groups.length ? 'merged' : 'merged-some';
    const trashed = merged.flatMap(({ otherIds }) => otherIds);
    return redirect(pathOf(withDone(back, action, trashed)));
  }

  /**
   * Merges each group in a transaction. Stops at the first group for which the list has no room.
   * @throws StorageFullError if the list has no room for the first group
   */
  private async mergeEach(
    userId: string,
    groups: readonly GroupToMerge[],
  ): Promise<readonly MergeOutcome[]> {
    const outcomes: MergeOutcome[] = [];
    for (const group of groups) {
      try {
        outcomes.push(await this.duplicates.merge(userId, group));
      } catch (error) {
        if (!(error instanceof StorageFullError && outcomes.includes('merged'))) {
          throw error;
        }
        break;
      }
    }
    return outcomes;
  }
}
