import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer, Reflector } from '@nestjs/core';

import { Describes, type Operation } from '../../platform/common/openapi.js';

/** Returns the classes of all controllers that Nest has found. */
export const controllersIn = (modules: ModulesContainer): readonly Type<object>[] =>
  [...modules.values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => (isClass(metatype) ? [metatype] : []));

const isClass = (value: unknown): value is Type<object> =>
  typeof value === 'function' && 'prototype' in value;

/** A method and a path of an endpoint. */
export interface Route {
  readonly method: 'get' | 'post';
  /** The path of the route, with parameters in braces. */
  readonly path: string;
  /** The first path of the endpoint. */
  readonly mainPath: string;
  readonly operation: Operation;
}

type Controller = Type<object>;

const scanner = new MetadataScanner();

const reflector = new Reflector();

/**
 * Returns the routes of all documented handlers of the controllers, in the order in which the handlers are declared.
 */
export const routesOf = (controllers: readonly Controller[]): readonly Route[] =>
  controllers.flatMap((controller) =>
    scanner
      .getAllMethodNames(prototypeOf(controller))
      .flatMap((name) => routesOfHandler(controller, handlerOf(controller, name))),
  );

const prototypeOf = ({ prototype }: { readonly prototype: object }): object => prototype;

function handlerOf(controller: Controller, name: string): (() => unknown) | undefined {
  const handler: unknown = Reflect.get(prototypeOf(controller), name);
  return isFunction(handler) ? handler : undefined;
}

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function';

function routesOfHandler(controller: Controller, handler?: () => unknown): readonly Route[] {
  const operation = handler && reflector.get<Operation | undefined>(Describes.KEY, handler);
  if (handler === undefined || operation === undefined) {
    return [];
  }
  const paths = pathsOf(controller).flatMap((base) =>
    pathsOf(handler).map((path) => joined(base, path)),
  );
  return paths.flatMap((path) =>
    methodsOf(handler).map((method) => ({ method, path, mainPath: paths[0] ?? path, operation })),
  );
}

const pathsOf = (target: object): readonly string[] =>
  [Reflect.getMetadata(PATH_METADATA, target)].flat().map(String);

/**
 * Joins two paths. Converts parameters of Nest, `:name` and `*name`, to `{name}`. The value of `*name` may contain
 * slashes.
 */
const joined = (base: string, path: string): string =>
  `/${base}/${path}`
    .replaceAll(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replaceAll(/[:*](\w+)/g, '{$1}');

/**
 * Returns the methods of a handler. For a route with all methods, returns only POST and GET, because `allowedMethods`
 * rejects all methods except GET, HEAD and POST.
 */
function methodsOf(handler: object): readonly Route['method'][] {
  const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
  if (method === RequestMethod.ALL) {
    return ['post', 'get'];
  }
  return method === RequestMethod.POST ? ['post'] : ['get'];
}
