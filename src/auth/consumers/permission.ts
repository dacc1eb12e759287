import { Reflector } from '@nestjs/core';

/** What a client application may do for its users (specification, "Authentication"). */
export enum Permission {
  /** `/v3/get` */
  Retrieve = 'retrieve',
  /** `/v3/add` */
  Add = 'add',
  /** `/v3/send` */
  Modify = 'modify',
}

export const ALL_PERMISSIONS: readonly Permission[] = Object.values(Permission);

/** Declares the permission that a consumer key needs for a route, or all of those that it needs. */
export const RequirePermission = Reflector.createDecorator<Permission | readonly Permission[]>();
