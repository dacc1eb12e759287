import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { User } from '../../../auth/entities/user.entity.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { doneNoticeOf } from '../done-notice.js';
import { FeedUrls } from './feed-urls.js';
import { ListDigestParts, type RefusedDigest } from './list-digest-part.js';
import { ListRuleForms } from './list-rule-forms.js';
import { PublicPageForms, type RefusedForm } from './public-page-forms.js';
import { cardOf, type EditListModel, FEED_CHOICES } from './saved-lists.view.js';
import { editPath } from './shown-lists.js';

interface Visit {
  readonly user: User;
  readonly request: Request;
  /** The form of the public page, if it was rejected. */
  readonly refused?: RefusedForm;
  /** The form of the digest, if it was rejected. */
  readonly refusedDigest?: RefusedDigest;
}

/** Combines the parts of the page on which a user edits a saved list. */
@Injectable()
export class EditListPages {
  constructor(
    private readonly feedUrls: FeedUrls,
    private readonly publicPages: PublicPageForms,
    private readonly rules: ListRuleForms,
    private readonly digests: ListDigestParts,
  ) {}

  /** Returns the page of a list. After a rejected form, the fields of its part are those of this form. */
  async of(
    list: SavedList,
    { user, request, refused, refusedDigest }: Visit,
  ): Promise<EditListModel> {
    const feedUrls = await this.feedUrls.of(user.id, request);
    return {
      ...cardOf(list, feedUrls),
      section: 'list',
      feeds: FEED_CHOICES,
      errors: [],
      rule: await this.rules.of(user.id, list),
      publicPage: await this.publicPages.of(user, list, refused),
      listDigest: await this.digests.of(user, list, refusedDigest),
      done: doneNoticeOf(request.query),
      path: editPath(list),
    };
  }
}
