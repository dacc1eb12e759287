import { Injectable } from '@nestjs/common';

import {
  type Authorization,
  AuthorizationsService,
  type AuthorizationStatus,
} from '../../../auth/oauth/authorizations.service.js';
import { isOfRequest, namesPlace } from '../../../auth/oauth/redirect-uri.js';
import { message } from '../../../platform/i18n/message.js';
import { messagePage } from '../../message-page.js';
import type { ShownPage } from '../../template.js';
import type { AuthorizationLink } from '../authorization-link.js';

const UNKNOWN_CODE = messagePage.page(
  { heading: message('consent.unknown.title'), text: message('consent.unknown.text') },
  { status: 404 },
);

const FOREIGN_REDIRECT = messagePage.page(
  {
    heading: message('consent.foreignAddress.title'),
    text: message('consent.foreignAddress.text'),
  },
  { status: 400 },
);

/** The status of a request for access that can no longer be answered. */
type ClosedStatus = Exclude<AuthorizationStatus, 'open'>;

const HTTP_STATUS: Readonly<Record<ClosedStatus, number>> = {
  authorized: 200,
  rejected: 200,
  used: 410,
  expired: 410,
  disabled: 403,
  keyExpired: 403,
};

/**
 * Returns the page with the outcome of an application's request for access. The page shows a
 * different message if another user than the visitor has granted access.
 */
export const closedPage = (
  status: ClosedStatus,
  application: string,
  isAnsweredByVisitor: boolean,
): ShownPage =>
  messagePage.page(
    {
      heading: message(`consent.${status}.title`),
      text:
        status === 'authorized' && !isAnsweredByVisitor
          ? message('consent.authorized.textForOthers', { application })
          : message(`consent.${status}.text`, { application }),
    },
    { status: HTTP_STATUS[status] },
  );

/**
 * An application's request for access, with the data of the consent page. A redirect_uri in the
 * address of the consent page replaces the redirect_uri of the request.
 */
export interface ConsentRequest extends Authorization {
  readonly link: AuthorizationLink;
  /**
   * True if the redirect_uri comes from the address of the consent page. It is used if the request
   * of the application contains no redirect_uri with a host.
   */
  readonly isAddressOfLink: boolean;
}

/** Finds the request for access whose code is in the address of the consent page. */
@Injectable()
export class ConsentRequests {
  constructor(private readonly authorizations: AuthorizationsService) {}

  /**
   * Returns the request for access. If the request does not exist or its redirect_uri is not allowed, returns a page
   * with an error message.
   */
  async find(link: AuthorizationLink | undefined): Promise<ConsentRequest | ShownPage> {
    const found = link && (await this.authorizations.find(link.requestToken));
    if (link === undefined || found === undefined) {
      return UNKNOWN_CODE;
    }
    const redirectUri = link.redirectUri ?? found.redirectUri;
    const isAddressOfLink = redirectUri !== found.redirectUri && !namesPlace(found.redirectUri);
    return isOfRequest(redirectUri, found.redirectUri)
      ? { ...found, link, redirectUri, isAddressOfLink }
      : FOREIGN_REDIRECT;
  }
}
