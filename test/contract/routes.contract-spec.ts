import { Controller, Get, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer, Reflector } from '@nestjs/core';

import { OpdsPermission } from '../../src/apis/opds/opds.guard.js';
import { WallabagPermission } from '../../src/apis/wallabag/wallabag.guard.js';
import { Permission, RequirePermission } from '../../src/auth/consumers/permission.js';
import { OWN_PATHS } from '../../src/platform/config/environment.decorators.js';
import { IS_PUBLIC, Public } from '../../src/platform/http/public.js';
import { SHARE_PATHS } from '../../src/web/reader/save/share-links.controller.js';
import { PUBLIC_ROUTES } from '../support/public-routes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

@Controller('forgotten')
class ForgottenController {
  @Get('nothing-declared')
  nothing(): string {
    return '';
  }

  @Public()
  @Get('public')
  declared(): string {
    return '';
  }

  @RequirePermission(Permission.Add)
  @Get('permission')
  permitted(): string {
    return '';
  }

  notARoute(): string {
    return '';
  }
}

@Public()
@Controller()
class OpenController {
  @Get('open')
  open(): string {
    return '';
  }
}

/** Declaring nothing is too little; declaring both is too much. */
class InheritingController extends ForgottenController {
  @Public()
  @RequirePermission(Permission.Modify)
  @Get('both')
  both(): string {
    return '';
  }
}
Controller('inheriting')(InheritingController);

interface Route {
  readonly name: string;
  readonly isPublic: boolean;
  readonly permission: Permission | undefined;
  /** True for wallabag and catalog routes, whose own guards check the permission. */
  readonly isGuarded: boolean;
}

const reflector = new Reflector();

function routesOf(controller: Type): Route[] {
  return handlersOf(controller).map(([name, handler]) => {
    const declarations = [handler, controller];
    return {
      name: `${controller.name}.${name}`,
      isPublic: reflector.getAllAndOverride<unknown>(IS_PUBLIC, declarations) === true,
      permission: reflector.getAllAndOverride<Permission | undefined>(
        RequirePermission.KEY,
        declarations,
      ),
      isGuarded:
        reflector.get<unknown>(WallabagPermission.KEY, handler) !== undefined ||
        reflector.getAllAndOverride<unknown>(OpdsPermission.KEY, declarations) !== undefined,
    };
  });
}

/** Returns the methods that Nest mounts: those with a path and a verb, including inherited ones. */
function handlersOf(controller: Type): [string, () => unknown][] {
  const handlers = new Map<string, () => unknown>();
  let prototype: unknown = controller.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
    for (const [name, { value }] of members as [string, { value?: object }][]) {
      if (typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value)) {
        handlers.set(name, handlers.get(name) ?? (value as () => unknown));
      }
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...handlers];
}

const controllersOf = ({ app }: TestApp): Type[] =>
  [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .map(({ metatype }) => metatype as Type);

const undeclared = (controllers: Type[]): string[] =>
  controllers
    .flatMap(routesOf)
    .filter(({ isPublic, permission }) => isPublic === (permission !== undefined))
    .map(({ name }) => name);

/** Returns all routes of Express, regardless of how they are mounted. */
function mountedPaths({ app }: TestApp): string[] {
  const { router } = app.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string } }[] };
  };
  return router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
}

/** Removes duplicates: a path has one route per method and per bound middleware. */
const distinct = (paths: readonly string[]): string[] => [...new Set(paths)].toSorted();

describe('the routes of the service', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await aTestApp();
  });
  afterAll(() => app.close());

  it('each declare a permission or are public', () => {
    const controllers = controllersOf(app);

    expect(controllers.flatMap(routesOf).length).toBeGreaterThanOrEqual(6);
    expect(undeclared(controllers)).toEqual([]);
  });

  it('start with a reserved name, which the path of PUBLIC_URL cannot start with', () => {
    // Share addresses are excluded. Losing one below such a path has no other effect, and `/bookmarks` is a likely
    // path.
    const own = mountedPaths(app).filter((path) => !SHARE_PATHS.includes(path.slice(1)));
    const first = own.map((path) => path.split('/')[1] ?? '');

    expect(distinct(first).filter((name) => name !== '' && !OWN_PATHS.has(name))).toEqual([]);
  });

  it('are public only if they are on the list of public routes', () => {
    const routes = controllersOf(app).flatMap(routesOf);
    const guarded = new Set(routes.filter(({ isGuarded }) => isGuarded).map(({ name }) => name));
    const open = routes.filter(({ isPublic }) => isPublic).map(({ name }) => name);

    expect(open.filter((name) => !guarded.has(name)).toSorted()).toEqual(PUBLIC_ROUTES);
  });

  it('all belong to controllers, so that the guard checks them', () => {
    const known = controllersOf(app).flatMap((controller) => {
      const base: unknown = Reflect.getMetadata(PATH_METADATA, controller);
      return handlersOf(controller).flatMap(([, handler]) => {
        const paths: unknown = Reflect.getMetadata(PATH_METADATA, handler);
        return [paths]
          .flat()
          .map((path) => `/${String(base)}/${String(path)}`.replaceAll(/\/+/g, '/'))
          .map((path) => path.replace(/(?<=.)\/$/, ''));
      });
    });

    expect(distinct(mountedPaths(app))).toEqual(distinct(known));
  });
});

describe('the scan for undeclared routes', () => {
  it('finds only the route without a declaration', () => {
    expect(undeclared([ForgottenController, OpenController])).toEqual([
      'ForgottenController.nothing',
    ]);
  });

  it('finds inherited routes, and routes with two declarations', () => {
    expect(undeclared([InheritingController]).toSorted()).toEqual([
      'InheritingController.both',
      'InheritingController.nothing',
    ]);
  });

  it('includes the controllers of a running application', async () => {
    const app = await aTestApp({ controllers: [ForgottenController] });

    const found = undeclared(controllersOf(app));

    await app.close();
    expect(found).toEqual(['ForgottenController.nothing']);
  });
});
