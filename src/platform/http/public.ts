import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'satchel:public';

/** Declares that a route needs no consumer key. Routes without any declaration are rejected. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);
