import { Injectable } from '@nestjs/common';

import type { Authorization } from '../oauth/authorization.js';
import { AuthorizationsService } from '../oauth/authorizations.service.js';
import { isOfRequest, namesPlace } from '../oauth/redirect-uri.js';
import type { AuthorizationLink } from './authorization-link.js';
import { FOREIGN_REDIRECT, type Message, UNKNOWN_CODE } from './standings.js';

/** A request that a person was sent here with; its redirect_uri is the one that the browser brought. */
export interface ConsentRequest extends Authorization {
  readonly link: AuthorizationLink;
  /** The application has named no place with its request, and the browser brought one. */
  readonly isAddressOfLink: boolean;
}

/** Finds the requests that people are sent here with. */
@Injectable()
export class ConsentRequests {
  constructor(private readonly authorizations: AuthorizationsService) {}

  /** The request, or what a page says where there is none. */
  async find(link: AuthorizationLink | undefined): Promise<ConsentRequest | Message> {
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
