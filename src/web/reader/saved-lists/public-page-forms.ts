import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { addressIn } from '../../../platform/http/own-address.js';
import type { PublicList } from '../../../reading-list/entities/public-list.entity.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import {
  PublicLists,
  type PublicPageChoices,
} from '../../../reading-list/saved-lists/public-lists.service.js';
import type { FormError } from '../../forms.js';
import { publicNameOf } from '../../shared/public-name.js';

/** The fields of the form of a public page. */
interface PublicPageForm extends PublicPageChoices {
  readonly isPublic: boolean;
}

/** The part of the page of a list about its public page. */
export interface PublicPagePart extends PublicPageForm {
  /** The path of the public page, or its complete address if the service knows it. Undefined for a private list. */
  readonly href: string | undefined;
  /** The name of the user that visitors see. */
  readonly by: string;
  readonly publicErrors: readonly FormError[];
}

/** A form that was rejected, and the reasons. */
export interface RefusedForm {
  readonly form: PublicPageForm;
  readonly errors: readonly FormError[];
}

const PRIVATE: PublicPageForm = {
  isPublic: false,
  address: '',
  showsNotes: false,
  isIndexed: false,
};

const formOf = ({ address, showsNotes, isIndexed }: PublicList): PublicPageForm => ({
  isPublic: true,
  address,
  showsNotes,
  isIndexed,
});

/** Shows and changes the public pages of a user's lists. */
@Injectable()
export class PublicPageForms {
  constructor(
    private readonly publicLists: PublicLists,
    private readonly config: Config,
  ) {}

  /** Returns the form of a list. After a rejected form, the fields are those of this form. */
  async of(owner: User, { id }: SavedList, refused?: RefusedForm): Promise<PublicPagePart> {
    const page = await this.publicLists.of({ userId: owner.id, id });
    const form = page === undefined ? PRIVATE : formOf(page);
    return {
      ...(refused?.form ?? form),
      href: page && this.hrefOf(page.address),
      by: publicNameOf(owner),
      publicErrors: refused?.errors ?? [],
    };
  }

  /**
   * Publishes a list, changes its public page, or turns it off.
   * @throws ValidationFailedError if the list cannot have the address
   */
  async save(
    owner: User,
    { id }: SavedList,
    { isPublic, ...choices }: PublicPageForm,
  ): Promise<void> {
    const key = { userId: owner.id, id };
    await (isPublic ? this.publicLists.publish(key, choices) : this.publicLists.unpublish(key));
  }

  private hrefOf(address: string): string {
    const { publicUrl } = this.config;
    const path = `/shared/lists/${address}`;
    return publicUrl === undefined ? path : `${addressIn(publicUrl)}${path}`;
  }
}

export const publicFormIn = (body: unknown): PublicPageForm => ({
  isPublic: textOf(body, 'public') === '1',
  address: textOf(body, 'address'),
  showsNotes: textOf(body, 'notes') === '1',
  isIndexed: textOf(body, 'indexed') === '1',
});
