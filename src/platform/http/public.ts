import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'satchel:public';

/** Declares that a route needs no consumer key. A route without any declaration is denied. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);
