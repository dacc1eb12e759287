import { Reflector } from '@nestjs/core';

/** The permissions of a client application (specification of the v3 API, "Authentication"). */
export enum Permission {
  /** The permission to call `/v3/get`. */
  Retrieve = 'retrieve',
  /** The permission to call `/v3/add`. */
  Add = 'add',
  /** The permission to call `/v3/send`. */
  Modify = 'modify',
}

export const ALL_PERMISSIONS: readonly Permission[] = Object.values(Permission);

/**
 * Declares the permissions that a consumer key needs for a route. If there are several permissions, the key needs all
 * of them.
 */
export const RequirePermission = Reflector.createDecorator<Permission | readonly Permission[]>();
