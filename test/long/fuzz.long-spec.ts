import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import type { OpenAPIObject } from 'openapi3-ts/oas31';

import type { PageReader } from '../../src/articles/resolver/page-reader.js';
import { aParsedPage } from '../support/a-page.js';
import { ApiDescription } from '../support/api-document.js';
import { FuzzRun } from '../support/fuzz/fuzz-run.js';
import { FuzzWorld } from '../support/fuzz/fuzz-world.js';
import { FuzzedRequests, type Route } from '../support/fuzz/fuzzed-requests.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** FUZZ_REQUESTS=100000 is the long form. TEST_SEED=N sends other requests. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 4000);
const SEED = Number(process.env.TEST_SEED ?? 1);
const CONNECTIONS = 8;
/** For the long form. */
const LONGEST_RUN_MS = 3_600_000;
/** Another Ada sends the next requests. */
const BATCH = 200;

const description = new ApiDescription(
  JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject,
);

/** Express lists at least so many methods for a route of all methods. */
const METHODS_OF_ALL = 10;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/**
 * All routes of the service. The documented ones are listed twice: clients call them most. A route of all methods only
 * refuses methods; some requests go there.
 */
function routesOf({ app }: TestApp): Route[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: Layer[] };
  };
  const documented = description.operations().map(({ method, path }) => `${method} ${path}`);
  const mounted = router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {})
      .filter((method, _, all) => all.length < METHODS_OF_ALL || method === 'put')
      .map((method) => `${method} ${patternOf(route?.path ?? '')}`),
  );
  const others = mounted.filter((name) => !documented.includes(name));
  return [...documented, ...documented, ...new Set(others)].map((name) => {
    const [method = '', path = ''] = name.split(' ');
    return { method, path, documented: documented.includes(name) };
  });
}

const patternOf = (path: string): string =>
  path.replaceAll(
    /\{?\/?:(\w+)\}?/g,
    (found, name: string) => `${found.includes('/') ? '/' : ''}{${name}}`,
  );

/** Sends requests to these routes in batches, each from another Ada. */
async function fuzz(
  world: FuzzWorld,
  app: TestApp,
  { routes, requests }: { routes: readonly Route[]; requests: number },
): Promise<FuzzRun> {
  const run = new FuzzRun(app.url, description, CONNECTIONS);
  for (let sent = 0; sent < requests; sent += BATCH) {
    await world.renew();
    const makers = new FuzzedRequests(description, world);
    const one = fc.constantFrom(...routes).chain((route) => makers.to(route));
    const numRuns = Math.min(BATCH, requests - sent);
    await run.sendAll(fc.sample(one, { seed: SEED + sent, numRuns }));
  }
  await run.close();
  process.stdout.write(`${run.summary()}\n`);
  return run;
}

/** Returns what the service logged about its failures, because an answer to a client does not contain the reason. */
const failuresIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => /"err"|database_unavailable|service_busy/.test(line))
    .slice(-50)
    .join('\n');

describe('requests of all kinds', () => {
  let app: TestApp;
  let world: FuzzWorld;

  beforeAll(async () => {
    const page = () => Promise.resolve(aParsedPage());
    const reader: PageReader = { read: page, readHtml: page };
    app = await aTestApp({ config: { logLevel: 'warn', resolverConcurrency: 2 }, reader });
    world = await FuzzWorld.of(app);
  });
  afterAll(() => app.close());

  it(
    'get documented answers, and neither read nor change the rows of another user',
    async () => {
      const before = await world.rowsOfBob();

      const run = await fuzz(world, app, { routes: routesOf(app), requests: REQUESTS });

      if (run.findings.length > 0) {
        process.stdout.write(`${failuresIn(app.log())}\n`);
      }
      expect(run.findings).toEqual([]);
      expect(await world.rowsOfBob()).toEqual(before);
    },
    LONGEST_RUN_MS,
  );

  it(
    'of an administrator get answers',
    async () => {
      const routes = routesOf(app).filter(({ path }) => path.startsWith('/admin'));
      world.makeAdministrator();

      const run = await fuzz(world, app, { routes, requests: REQUESTS / 10 });

      expect(run.findings).toEqual([]);
    },
    LONGEST_RUN_MS,
  );
});
