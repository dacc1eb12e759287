import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { tablesAt } from '../../src/platform/database/table-places.js';

const FOLDER = join('src', 'platform', 'database', 'migrations');

it('migrations name a column when they look for rows of a personal table, because Citus rejects a query without columns', () => {
  const query = new RegExp(
    String.raw`IF EXISTS \(SELECT FROM (?:${tablesAt('personal').join('|')})\b`,
  );
  const wrong = readdirSync(FOLDER).filter((file) =>
    query.test(readFileSync(join(FOLDER, file), 'utf8')),
  );

  expect(wrong).toEqual([]);
});
