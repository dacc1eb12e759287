import { Injectable } from '@nestjs/common';

import { PersonalKeysService } from '../../../auth/consumers/personal-keys.service.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { Database } from '../../../platform/database/database.js';
import { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import { Tag } from '../../../reading-list/entities/tag.entity.js';
import { readSummary } from '../../../reading-list/list-summaries.js';

/** The numbers of things that an account contains. */
export interface Contents {
  readonly items: number;
  readonly tags: number;
  readonly highlights: number;
  /** The number of applications and personal keys that have access to the list. */
  readonly applications: number;
}

/** Counts what the deletion of an account deletes. */
@Injectable()
export class AccountContents {
  constructor(
    private readonly database: Database,
    private readonly authorizations: AuthorizationsService,
    private readonly personalKeys: PersonalKeysService,
  ) {}

  async of(userId: string): Promise<Contents> {
    const { manager } = this.database;
    const [list, tags, highlights, applications, keys] = await Promise.all([
      readSummary(manager, userId),
      manager.countBy(Tag, { userId }),
      manager.countBy(Annotation, { userId }),
      this.authorizations.applicationsOf(userId),
      this.personalKeys.list(userId),
    ]);
    const items = list.item_count;
    return { items, tags, highlights, applications: applications.length + keys.length };
  }
}
