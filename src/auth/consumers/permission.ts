import { Reflector } from '@nestjs/core';

/** The permissions of a client application (specification, "Authentication"). */
export enum Permission {
  /** `/v3/get` */
  Retrieve = 'retrieve',
  /** `/v3/add` */
  Add = 'add',
  /** `/v3/send` */
  Modify = 'modify',
}

export const ALL_PERMISSIONS: readonly Permission[] = Object.values(Permission);

/** Declares the permission, or all the permissions, that a consumer key needs for a route. */
export const RequirePermission = Reflector.createDecorator<Permission | readonly Permission[]>();
