import { WALLABAG_BASE } from '../../apis/wallabag/wire/wallabag-paths.js';
import type { ClientsService } from '../../auth/consumers/clients.service.js';
import type { PersonalKeyDetails } from '../../auth/consumers/personal-keys.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { type ShownPage, Template } from '../template.js';

interface NewClientModel {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The server address that a person enters in an app. */
  readonly address: string;
  readonly email: string;
  /** A link that opens wallabag's Android app and fills in the login form of the app. */
  readonly appUrl: string;
}

const newClientPage = new Template<NewClientModel>('wallabag/new-client', { kind: 'reader' });

/** Returns the server address that a person enters in a wallabag client. */
export const wallabagAddress = (serviceAddress: string): string =>
  `${serviceAddress}${WALLABAG_BASE}`;

/**
 * Creates a client, and returns the page with its secret. Throws the same errors as ClientsService.create.
 * @param serviceAddress the address of this service without a trailing slash
 */
export async function createClient(
  clients: ClientsService,
  user: User,
  details: PersonalKeyDetails,
  serviceAddress: string,
): Promise<ShownPage> {
  const { clientId, clientSecret } = await clients.create(user, details);
  const { email } = user;
  const address = wallabagAddress(serviceAddress);
  // wallabag's Android app decodes the text before the last `@` and uses it as the user name.
  const appUrl = `wallabag://${encodeURIComponent(email)}@${address}`;
  return newClientPage.page({ name: details.name, clientId, clientSecret, address, email, appUrl });
}
