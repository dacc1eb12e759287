import { Reflector } from '@nestjs/core';

import type { Permission } from './permission.js';

/** Declares the permission that a consumer key needs for a route. */
export const RequirePermission = Reflector.createDecorator<Permission>();
