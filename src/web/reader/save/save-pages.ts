import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { SaveKeys } from './save-keys.js';
import type { SharedPage } from './shared-page.js';

export interface SaveVisit {
  readonly user: User;
  readonly request: Request;
}

interface SaveModel extends SharedPage {
  readonly errors: readonly FormError[];
  /** The `javascript:` address of the bookmarklet. */
  readonly bookmarklet: string;
  readonly origin: string;
}

const savePage = new Template<SaveModel>('reader/save/save', { kind: 'reader' });

interface SaveAskModel extends SharedPage {
  /** The email address of the user to whose list the page will be saved. */
  readonly email: string;
}

/**
 * The page that asks for confirmation before a page is saved, for example if another site has linked to the save page.
 */
export const saveAskPage = new Template<SaveAskModel>('reader/save/save-ask', { kind: 'reader' });

@Injectable()
export class SavePages {
  constructor(
    private readonly config: Config,
    private readonly keys: SaveKeys,
  ) {}

  /** Shows the form for saving a page, and other ways to save pages, such as the bookmarklet. */
  showForm(
    { user, request }: SaveVisit,
    shared: SharedPage,
    errors: readonly FormError[] = [],
  ): ShownPage {
    const origin = ownAddress(request, this.config.publicUrl);
    const bookmarklet = bookmarkletOf(origin, this.keys.keyOf(user));
    const status = errors.length > 0 ? 400 : 200;
    return savePage.page({ ...shared, errors, origin, bookmarklet }, { status });
  }
}

/** Returns a bookmarklet that opens the save page in a small window, or in the same window if popups are blocked. */
const bookmarkletOf = (origin: string, key: string): string =>
  `javascript:(()=>{const e=encodeURIComponent,a=${JSON.stringify(`${origin}/save?key=${key}`)}` +
  `+'&url='+e(location.href)+'&title='+e(document.title);` +
  `open(a,'_blank','popup,width=520,height=640')||(location.href=a)})()`;
