import { ClientsService } from '../../../auth/consumers/clients.service.js';
import { ALL_PERMISSIONS } from '../../../auth/consumers/permission.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../platform/config/config.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { createClient } from '../../wallabag/new-client.js';
import { type KeyForm, type KeyFormModel, KeyPage } from './key-page.js';

const clientsPage = new Template<KeyFormModel>('account/keys/clients', { kind: 'reader' });

/**
 * The page on which a user creates a client for an app made for wallabag. On the page /account/keys, the user can see
 * and revoke clients.
 */
@Page('account/keys/clients')
export class ClientsPageController extends KeyPage {
  /** The form preselects all permissions, because most apps need them all. */
  protected override readonly preselected = ALL_PERMISSIONS;

  constructor(
    private readonly clients: ClientsService,
    config: Config,
  ) {
    super(config);
  }

  protected override formPage(form: KeyFormModel, status: number): ShownPage {
    return clientsPage.page(form, { status });
  }

  protected override createKey(
    user: User,
    { name, permissions, validDays }: KeyForm,
    address: string,
  ): Promise<ShownPage> {
    return createClient(this.clients, user, { name, permissions, validDays }, address);
  }
}
