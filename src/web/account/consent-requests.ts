import { Injectable } from '@nestjs/common';

import {
  type Authorization,
  AuthorizationsService,
  type AuthorizationStatus,
} from '../../auth/oauth/authorizations.service.js';
import { isOfRequest, namesPlace } from '../../auth/oauth/redirect-uri.js';
import type { Views } from '../views.js';
import type { AuthorizationLink } from './authorization-link.js';

/** The message about a request that can no longer be answered. */
interface StatusMessage {
  readonly status: number;
  readonly heading: string;
  readonly text: (application: string) => string;
}

/** A page with a message, shown instead of the consent page. */
export type Message = Views['message'] & { readonly status: number };

const UNKNOWN_CODE: Message = {
  status: 404,
  heading: 'This request is unknown',
  text: 'The address is incomplete, or the request was made too long ago. Go back to the application and begin again.',
};

const FOREIGN_REDIRECT: Message = {
  status: 400,
  heading: 'This address does not fit the request',
  text: 'It names another place to go to than the application has named. Go back to the application and begin again.',
};

const CLOSED: Readonly<Record<Exclude<AuthorizationStatus, 'open'>, StatusMessage>> = {
  authorized: {
    status: 200,
    heading: 'Access given',
    text: (name) =>
      `${name} has access to your reading list. You can close this page and go back to ${name}.`,
  },
  rejected: {
    status: 200,
    heading: 'No access given',
    text: (name) => `${name} has not been given access. You can close this page.`,
  },
  used: {
    status: 410,
    heading: 'This request was answered already',
    text: (name) =>
      `${name} has fetched its access. Your account page shows which applications have access.`,
  },
  expired: {
    status: 410,
    heading: 'This request has expired',
    text: (name) => `Go back to ${name} and begin again.`,
  },
  disabled: {
    status: 403,
    heading: 'This application is switched off',
    text: (name) => `The administrator of this service does not let ${name} in.`,
  },
};

/** Returns the page with the outcome of an application's request, for the user who has answered the request. */
export function closedMessage(status: keyof typeof CLOSED, application: string): Message {
  const { text, ...message } = CLOSED[status];
  return { ...message, text: text(application) };
}

/**
 * Returns the page with the outcome of a request that another user has answered. The access does not concern the
 * visitor's list.
 */
export const othersMessage = (status: keyof typeof CLOSED, application: string): Message => ({
  ...closedMessage(status, application),
  ...(status === 'authorized' && {
    text: `${application} has access to the reading list of the person who answered this request.`,
  }),
});

/**
 * A request with which an application sent a person to the consent page. If the address of the page contains a
 * redirect_uri, this redirect_uri replaces that of the request.
 */
export interface ConsentRequest extends Authorization {
  readonly link: AuthorizationLink;
  /**
   * True if the redirect_uri comes from the address of the page, because the application sent none with its request.
   */
  readonly isAddressOfLink: boolean;
}

/** Finds the request that the address of the page identifies. */
@Injectable()
export class ConsentRequests {
  constructor(private readonly authorizations: AuthorizationsService) {}

  /** Returns the request, or a page with a message if there is no such request. */
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
