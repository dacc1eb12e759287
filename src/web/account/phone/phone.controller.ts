import { Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Config } from '../../../platform/config/config.js';
import { isLoopback } from '../../../platform/config/registration-mode.js';
import { ownAddress } from '../../../platform/http/own-address.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { wallabagAddress } from '../../wallabag/new-client.js';
import { type QrPicture, qrPictureOf } from '../qr-picture.js';

interface PhoneModel {
  /** The address of this service. Empty if the address that the browser requested is invalid. */
  readonly address: string;
  /** The QR code of the address. Undefined if a phone cannot open the address. */
  readonly picture: QrPicture | undefined;
  /** True if phones can install the web app. Browsers install web apps only from https addresses. */
  readonly isInstallable: boolean;
  readonly wallabagAddress: string;
  readonly email: string;
}

const phonePage = new Template<PhoneModel>('account/phone/phone', { kind: 'reader' });

/** The page that explains how to use Satchel on a phone: as a web app, in the share menu, and in wallabag's apps. */
@Page('account/phone')
export class PhonePageController {
  constructor(private readonly config: Config) {}

  @Get()
  show(@CurrentUser() { email }: User, @Req() request: Request): ShownPage {
    const address = ownAddress(request, this.config.publicUrl);
    return phonePage.page({
      address,
      picture: isReachable(address) ? qrPictureOf(`${address}/`) : undefined,
      isInstallable: address.startsWith('https:'),
      wallabagAddress: wallabagAddress(address),
      email,
    });
  }
}

/** Returns false if only the machine of the service itself can open the address. */
const isReachable = (address: string): boolean =>
  address !== '' && !isLoopback(new URL(address).hostname);
