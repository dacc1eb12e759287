import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../platform/config/config.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { Pages, READER_POLICY } from '../../pages.js';
import type { FormError } from '../../views.js';
import type { ReaderPage } from '../reader-views.js';
import { SaveKeys } from './save-keys.js';
import type { SharedPage } from './shared-page.js';

export interface SaveVisit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

const policy = READER_POLICY;

/** Renders the form for saving a page, and the page that asks for confirmation. */
@Injectable()
export class SavePages {
  constructor(
    private readonly pages: Pages,
    private readonly config: Config,
    private readonly keys: SaveKeys,
  ) {}

  /** Shows the form for saving a page. Also shows other ways to save, such as the bookmarklet. */
  showForm(
    { user, request, response }: SaveVisit,
    shared: SharedPage,
    errors: readonly FormError[] = [],
  ): void {
    const origin = ownAddress(request, this.config.publicUrl);
    const bookmarklet = bookmarkletOf(origin, this.keys.keyOf(user));
    const model = { ...partsOf(request), ...shared, errors, origin, bookmarklet };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'reader/save', model, { status, policy });
  }

  /** Asks for confirmation before a page is saved at the request of another site. */
  ask({ user: { email }, request, response }: SaveVisit, shared: SharedPage): void {
    this.pages.show(
      response,
      'reader/save-ask',
      { ...partsOf(request), ...shared, email },
      { policy },
    );
  }
}

const partsOf = (request: Request): ReaderPage => ({
  csrfToken: csrfTokenOf(request),
  section: 'save',
});

/** Returns a bookmarklet that opens the save page in a small window, or in the same window if popups are blocked. */
const bookmarkletOf = (origin: string, key: string): string =>
  `javascript:(()=>{const e=encodeURIComponent,a=${JSON.stringify(`${origin}/save?key=${key}`)}` +
  `+'&url='+e(location.href)+'&title='+e(document.title);` +
  `open(a,'_blank','popup,width=520,height=640')||(location.href=a)})()`;
