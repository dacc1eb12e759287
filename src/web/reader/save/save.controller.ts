import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import type { Answer } from '../../../platform/http/answer.js';
import { isOpenedByPerson } from '../../../platform/http/request-origin.js';
import { refuseHostileText } from '../../../platform/http/text-gate.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { AddRequest } from '../../../reading-list/add/add.request.js';
import { AddService } from '../../../reading-list/add/add.service.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import type { ShownPage } from '../../template.js';
import { doneAnswer } from '../done-notice.js';
import { SaveKeys } from './save-keys.js';
import { saveAskPage, SavePages, type SaveVisit } from './save-pages.js';
import { SavedPage } from './saved-page.js';
import { savedPath } from './saved-path.js';
import { type SharedPage, sharedPage } from './shared-page.js';

const SAVE_PATH = '/save';
/** Respond without waiting for the fetch of the page, because background workers fetch it. */
const NO_WAIT = 0;

/**
 * Saves a page. The address of the page comes from the address bar, a bookmarklet, the share menu of a phone, or a
 * form.
 */
@Page('save')
export class SaveController {
  constructor(
    private readonly pages: SavePages,
    private readonly keys: SaveKeys,
    private readonly added: AddService,
    private readonly saved: SavedPage,
  ) {}

  /**
   * Saves a page without confirmation only if the user has opened the address directly, or if the
   * address contains the key of the user's bookmarklet. Otherwise, any site could save pages by a
   * link to this address.
   */
  @Get()
  async saveShared(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    refuseHostileText(request.query);
    const shared = sharedPage(request.query);
    const visit = { user, request };
    if (Object.keys(request.query).length === 0) {
      return this.pages.showForm(visit, shared);
    }
    return this.mustAsk(visit)
      ? saveAskPage.page({ ...shared, email: user.email })
      : await this.save(visit, shared);
  }

  @Post()
  async saveForm(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    return await this.save({ user, request }, sharedPage(request.body));
  }

  /**
   * Shows the result of saving a page. A separate address shows the result, so a reload does not
   * save the page again.
   */
  @Get('done')
  async showSaved(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    const itemId = textOf(request.query, 'item');
    if (!isId(itemId)) {
      throw new ItemNotFoundError();
    }
    return await this.saved.show({ user, request }, itemId);
  }

  /**
   * Returns true if the page must not be saved without confirmation. Also returns true for
   * spellings such as `/SAVE`, because onward.ts and service-worker.js recognise only `/save`.
   */
  private mustAsk({ user, request }: SaveVisit): boolean {
    const { method, path, query } = request;
    const isAsking = method === 'HEAD' || path !== SAVE_PATH || Object.hasOwn(query, 'ask');
    const isOwnVisit = !isAsking && isOpenedByPerson(request);
    return !isOwnVisit && !this.keys.isKeyOf(user, textOf(query, 'key'));
  }

  private async save(visit: SaveVisit, shared: SharedPage): Promise<ShownPage | Answer> {
    try {
      const item = parseRequest(AddRequest, { ...shared }).toItem();
      const { row, savedBefore } = await this.added.add(visit.user.id, item, NO_WAIT);
      const facts = { before: savedBefore, isNew: savedBefore === undefined };
      return doneAnswer(visit.request, savedPath(row.item_id, facts));
    } catch (error) {
      if (wantsJson(visit.request)) {
        throw error;
      }
      return this.pages.showForm(visit, shared, formErrorsOf(error));
    }
  }
}
