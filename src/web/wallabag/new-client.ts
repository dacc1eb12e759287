import type { Request } from 'express';

import { WALLABAG_BASE } from '../../apis/wallabag/wire/wallabag-paths.js';
import type { ClientsService } from '../../auth/consumers/clients.service.js';
import type { Permission } from '../../auth/consumers/permission.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { keyErrorsOf } from '../key-errors.js';
import type { FormError, Views } from '../views.js';

/** Returns the server address that a person enters in a wallabag client. The address has no trailing slash. */
export const wallabagAddress = (request: Request, publicUrl: URL | undefined): string =>
  `${ownAddress(request, publicUrl)}${WALLABAG_BASE}`;

interface NewClient {
  readonly user: User;
  readonly name: string;
  readonly permissions: Permission[];
  readonly address: string;
}

/**
 * Creates a client. Returns the model of its page, or the errors of the form.
 * @throws SignInNeeded if the user was signed out while the client was created
 */
export async function newClient(
  clients: ClientsService,
  { user, name, permissions, address }: NewClient,
): Promise<Views['wallabag/client'] | FormError[]> {
  try {
    const { clientId, clientSecret } = await clients.create(user, { name, permissions });
    const { email } = user;
    // The app decodes the text before the last `@` and uses it as the user name.
    const appUrl = `wallabag://${encodeURIComponent(email)}@${address}`;
    return { name, clientId, clientSecret, address, email, appUrl };
  } catch (error) {
    return keyErrorsOf(error);
  }
}
