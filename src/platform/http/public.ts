import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'satchel:public';

/**
 * Declares that a route needs no consumer key. Calls to a route without a declared permission or `@Public` are
 * rejected.
 */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);
