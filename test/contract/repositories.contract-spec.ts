import { ModulesContainer } from '@nestjs/core';
import { Repository } from 'typeorm';

import { Database } from '../../src/platform/database/database.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let repositories: readonly Repository<object>[];

beforeAll(async () => {
  app = await aTestApp();
  repositories = [...app.app.get(ModulesContainer).values()].flatMap(({ providers }) =>
    [...providers.values()].flatMap(({ instance }) =>
      instance instanceof Repository ? [instance as Repository<object>] : [],
    ),
  );
});
afterAll(() => app.close());

/** Returns the managers that a repository uses, including those of repositories inside of it. */
const managersOf = (repository: object): readonly unknown[] =>
  Object.values(repository).flatMap((value: unknown) =>
    value instanceof Repository ? managersOf(value) : value,
  );

describe('a repository', () => {
  it('is found', () => {
    expect(repositories.length).toBeGreaterThan(10);
  });

  it('uses the connection of the transaction alone that it has joined', async () => {
    const { manager: outside } = app.app.get(Database);

    await app.app.get(Database).transaction((manager) => {
      const joined = repositories.map((repository) => manager.withRepository(repository));
      const strangers = joined.filter((repository) => managersOf(repository).includes(outside));
      expect(strangers.map(({ constructor: { name } }) => name)).toEqual([]);
      return Promise.resolve();
    });
  });
});
