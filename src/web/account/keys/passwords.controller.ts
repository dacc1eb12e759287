import { ApplicationPasswords } from '../../../auth/consumers/application-passwords.service.js';
import { Permission } from '../../../auth/consumers/permission.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../platform/config/config.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type KeyForm, type KeyFormModel, KeyPage } from './key-page.js';

/** A new application password. */
interface PasswordModel {
  readonly name: string;
  readonly email: string;
  /** The login name that belongs to the application password. Empty if there is no login name. */
  readonly loginName: string;
  readonly password: string;
  /** True if the password allows access to the OPDS catalogue for e-readers. */
  readonly canRead: boolean;
  /** The address of the OPDS catalogue for e-readers. */
  readonly address: string;
}

const passwordsPage = new Template<KeyFormModel>('account/keys/passwords', { kind: 'reader' });
const passwordPage = new Template<PasswordModel>('account/keys/password', { kind: 'reader' });

/**
 * The page on which a user creates an application password. On the page /account/keys, the user can see and revoke
 * passwords.
 */
@Page('account/keys/passwords')
export class PasswordsPageController extends KeyPage {
  /** The form preselects only the permission to read the list, because most e-readers need no other permission. */
  protected override readonly preselected = [Permission.Retrieve];

  constructor(
    private readonly passwords: ApplicationPasswords,
    config: Config,
  ) {
    super(config);
  }

  protected override formPage(form: KeyFormModel, status: number): ShownPage {
    return passwordsPage.page(form, { status });
  }

  protected override async createKey(
    user: User,
    form: KeyForm,
    address: string,
  ): Promise<ShownPage> {
    const password = await this.passwords.create(user, form);
    return passwordPage.page({
      name: form.name,
      email: user.email,
      password,
      loginName: form.loginName.toLowerCase(),
      canRead: form.permissions.includes(Permission.Retrieve),
      address: `${address}/opds`,
    });
  }
}
