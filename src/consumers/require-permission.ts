import { Reflector } from '@nestjs/core';

import type { Permission } from './permission.js';

/** Declares the permission that a consumer key needs for a route, or all of those that it needs. */
export const RequirePermission = Reflector.createDecorator<Permission | readonly Permission[]>();
