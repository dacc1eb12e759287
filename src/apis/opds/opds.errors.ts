import { DomainError } from '../../platform/common/common.errors.js';

/** Without credentials, or with some that are no application password of the user. */
export class CatalogueLoginError extends DomainError {
  override readonly code = 'invalid_credentials';

  /** `address` is where the user makes passwords. */
  constructor(address: string) {
    super(
      `Log in with the email address of your account and an application password, which you make at ${address}. The password of the account itself is not taken here.`,
    );
  }
}

/** The application password may not do this. */
export class CataloguePermissionError extends DomainError {
  override readonly code = 'permission_missing';

  constructor(permission: string) {
    super(`The application password does not have the permission "${permission}".`);
  }
}

/** A browser opened an address that changes an item. */
export class BrowserRequestError extends DomainError {
  override readonly code = 'permission_missing';

  constructor() {
    super('This address is for e-readers. In a browser, mark items as read in the list.');
  }
}
