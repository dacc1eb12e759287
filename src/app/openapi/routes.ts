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

/** One method and path of an endpoint. */
export interface Route {
  readonly method: 'get' | 'post';
  /** The path of the route, with its parameters in braces, as in `/items/{id}`. */
  readonly path: string;
  /** The first declared path of the endpoint. The other paths are its aliases. */
  readonly mainPath: string;
  readonly operation: Operation;
}

type Controller = Type<object>;

const scanner = new MetadataScanner();

const reflector = new Reflector();

/** Returns the routes of all documented handlers, in the order in which the controllers declare the handlers. */
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

/** Joins two paths. Converts the parameters `:name` and `*name` of a Nest path to `{name}`, as in OpenAPI. */
const joined = (base: string, path: string): string =>
  `/${base}/${path}`
    .replaceAll(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replaceAll(/[:*](\w+)/g, '{$1}');

/**
 * Returns the HTTP methods of a handler. For a handler that is declared for all methods, returns
 * POST and GET. The middleware `allowedMethods` accepts only these methods and HEAD.
 */
function methodsOf(handler: object): readonly Route['method'][] {
  const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
  if (method === RequestMethod.ALL) {
    return ['post', 'get'];
  }
  return method === RequestMethod.POST ? ['post'] : ['get'];
}
