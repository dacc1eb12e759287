import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { ExtensionKeyService } from '../../../auth/consumers/extension-key.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { AuthorizationsService } from '../../../auth/oauth/authorizations.service.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { message } from '../../../platform/i18n/message.js';
import { messagePage } from '../../message-page.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type ApplicationCard, applicationCard } from '../application-card.js';

interface ExtensionModel {
  readonly address: string;
  /** The consumer key of the browser extension. Undefined if the extension has no key, or if the key is disabled. */
  readonly consumerKey: string | undefined;
  readonly isDisabled: boolean;
  /** The access of the user's extensions. Undefined if the user has not connected the extension. */
  readonly connection: Pick<ApplicationCard, 'since' | 'lastUsed'> | undefined;
}

const extensionPage = new Template<ExtensionModel>('account/extension/extension', {
  kind: 'reader',
});

/**
 * The page on which the browser extension finds its consumer key. After the user has answered the extension's request
 * for access, the browser also returns to this page (docs/use/extension.md).
 */
@Page('account/extension')
export class ExtensionPageController {
  constructor(
    private readonly extensionKey: ExtensionKeyService,
    private readonly authorizations: AuthorizationsService,
    private readonly config: Config,
  ) {}

  @Get()
  async show(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<ShownPage> {
    if (textOf(request.query, 'done') === 'answered') {
      return messagePage.page({
        heading: message('extension.answered.title'),
        text: message('extension.answered.text'),
        action: { href: '/account/devices', label: message('account.devices.title') },
      });
    }
    const found = await this.extensionKey.find();
    return extensionPage.page({
      address: ownAddress(request, this.config.publicUrl),
      consumerKey: found?.stored.disabledAt === null ? found.key : undefined,
      isDisabled: found?.stored.disabledAt instanceof Date,
      connection: found && (await this.connectionOf(userId, found.stored.id)),
    });
  }

  @Post()
  async connect(): Promise<Answer> {
    await this.extensionKey.findOrMake();
    return redirect('/account/extension');
  }

  private async connectionOf(userId: string, keyId: string): Promise<ExtensionModel['connection']> {
    const applications = await this.authorizations.applicationsOf(userId);
    const extension = applications.find(({ consumerKeyId }) => consumerKeyId === keyId);
    return extension && applicationCard(extension);
  }
}
