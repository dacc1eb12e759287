import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { type FeedPaths, FeedsService } from '../../../apis/feeds/feeds.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import type { Message } from '../../../platform/i18n/message.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type ApplicationCard, applicationCard } from '../application-card.js';
import { noticeOf } from '../notices.js';

/** The feed addresses of a user. */
interface FeedsCard {
  /**
   * The title and the address of each feed. The address has no file extension. Clients append the file extension of the
   * format that they want.
   */
  readonly lists: readonly { readonly title: Message; readonly url: string }[];
  readonly tagUrl: string;
}

interface DevicesModel {
  readonly applications: readonly ApplicationCard[];
  /** The feed addresses of the user. Undefined if the user has no feed address. */
  readonly feeds: FeedsCard | undefined;
  readonly notice: Message | undefined;
}

const template = new Template<DevicesModel>('account/devices/devices', { kind: 'reader' });

/** Returns the feed addresses for the page. `base` is the address of the service. */
const feedsCardOf = ({ lists, tags }: FeedPaths, base: string): FeedsCard => ({
  lists: lists.map(({ title, path }) => ({ title, url: `${base}${path}` })),
  tagUrl: `${base}${tags}NAME.atom`,
});

/**
 * The page with the applications, devices and feed readers that use the list of a user. A button next to each
 * application ends its access.
 */
@Page('account')
export class DevicesPageController {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly feeds: FeedsService,
    private readonly config: Config,
  ) {}

  @Get('devices')
  async show(@CurrentUser() { id }: User, @Req() request: Request): Promise<ShownPage> {
    const [applications, feeds] = await Promise.all([
      this.authorizations.applicationsOf(id),
      this.feeds.pathsOf(id),
    ]);
    return template.page({
      applications: applications.map(applicationCard),
      feeds: feeds && feedsCardOf(feeds, ownAddress(request, this.config.publicUrl)),
      notice: noticeOf(textOf(request.query, 'done')),
    });
  }

  @Post('applications/revoke')
  async revoke(@CurrentUser() user: User, @Req() { body }: Request): Promise<Answer> {
    const id = textOf(body, 'application');
    if (isId(id)) {
      await this.authorizations.revoke(user, id);
    }
    return redirect('/account/devices?done=revoked');
  }
}
