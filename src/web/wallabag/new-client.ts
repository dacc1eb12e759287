import type { Request } from 'express';

import { WALLABAG_BASE } from '../../apis/wallabag/wire/wallabag-paths.js';
import type { ClientsService } from '../../auth/consumers/clients.service.js';
import type { Permission } from '../../auth/consumers/permission.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { keyErrorsOf } from '../key-errors.js';
import type { FormError, Views } from '../views.js';

/** Where wallabag's clients find this service, as the person types it: without a slash at its end. */
export const wallabagAddress = (request: Request, publicUrl: URL | undefined): string =>
  `${ownAddress(request, publicUrl)}${WALLABAG_BASE}`;

interface NewClient {
  readonly user: User;
  readonly name: string;
  readonly permissions: Permission[];
  readonly address: string;
}

/** What the page of a new client shows, or why there is none. Throws SignInNeeded. */
export async function newClient(
  clients: ClientsService,
  { user, name, permissions, address }: NewClient,
): Promise<Views['wallabag/client'] | FormError[]> {
  try {
    const { clientId, clientSecret } = await clients.create(user, { name, permissions });
    const { email } = user;
    // The app takes all before the last `@` for the name, and decodes it.
    const appUrl = `wallabag://${encodeURIComponent(email)}@${address}`;
    return { name, clientId, clientSecret, address, email, appUrl };
  } catch (error) {
    return keyErrorsOf(error);
  }
}
