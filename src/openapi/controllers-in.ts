import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/** The classes of all controllers that Nest has found. */
export const controllersIn = (modules: ModulesContainer): readonly Type<object>[] =>
  [...modules.values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => (isClass(metatype) ? [metatype] : []));

const isClass = (value: unknown): value is Type<object> =>
  typeof value === 'function' && 'prototype' in value;
