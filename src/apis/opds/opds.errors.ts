import { DomainError } from '../../platform/common/common.errors.js';

/** The request has no credentials, or its application password is not valid. */
export class CatalogueLoginError extends DomainError {
  override readonly code = 'invalid_credentials';

  /** `address` is the address of the page on which users create application passwords. */
  constructor(address: string) {
    super(
      `Log in with the email address of your account and an application password, which you make at ${address}. The password of the account itself is not taken here.`,
    );
  }
}

/** The application password lacks a permission that the request needs. */
export class CataloguePermissionError extends DomainError {
  override readonly code = 'permission_missing';

  constructor(permission: string) {
    super(`The application password does not have the permission "${permission}".`);
  }
}

/** Thrown if a browser requests an address that changes an item. Only e-readers can use such an address. */
export class BrowserRequestError extends DomainError {
  override readonly code = 'permission_missing';

  constructor() {
    super('This address is for e-readers. In a browser, mark items as read in the list.');
  }
}
