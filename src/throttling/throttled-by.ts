import { Reflector } from '@nestjs/core';

/** Names the limits that count the calls of a route. */
export const ThrottledBy = Reflector.createDecorator<readonly string[]>();
