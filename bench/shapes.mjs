// The compared requests: the client's call, and for the floor the last statement that the service runs for it.
import { DataSource } from 'typeorm';

import { ENTITIES } from '../dist/src/app/schema.js';
import { dataSourceOptions } from '../dist/src/platform/database/data-source.options.js';
import { ListRepository } from '../dist/src/reading-list/list/list.repository.js';
import { ItemQuery } from '../dist/src/reading-list/query/item.query.js';

const PAGE = { count: 30, offset: 0 };
/** Users with 100 and with 200,000 items. */
const USERS = { typical: '100', large: '1' };
/** A minute ago, which is after all changes of the lists. So the delta is empty. */
const IDLE = Math.floor(Date.now() / 1000) - 60;

const GETS = [
  { name: 'get simple', user: 'typical', members: {}, filter: {} },
  { name: 'get complete', user: 'typical', members: { detailType: 'complete' }, filter: {} },
  {
    name: 'get complete, 200,000 items',
    user: 'large',
    members: { detailType: 'complete' },
    filter: {},
  },
  { name: 'get search', user: 'typical', members: { search: 'the' }, filter: { search: 'the' } },
  {
    name: 'get search, 200,000 items',
    user: 'large',
    members: { search: 'perl' },
    filter: { search: 'perl' },
  },
  {
    name: 'get tag',
    user: 'typical',
    members: { tag: 'later' },
    filter: { tag: { key: 'later' } },
  },
  {
    name: 'get tag, 200,000 items',
    user: 'large',
    members: { tag: 'later' },
    filter: { tag: { key: 'later' } },
  },
  {
    name: 'idle delta',
    user: 'typical',
    members: { since: IDLE },
    filter: { since: IDLE },
    goal: '85 %',
  },
  {
    name: 'idle delta, 200,000 items',
    user: 'large',
    members: { since: IDLE },
    filter: { since: IDLE },
    goal: '85 %',
  },
];

const pathOf = (name) => `/${encodeURIComponent(name)}`;
const post = (path, members) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(members),
});

const compareGet = ({ name, user, members, goal = '70 %' }) => ({
  name,
  against: ({ of }) => {
    const body = { ...of(USERS[user]), ...PAGE, state: 'all', sort: 'newest', ...members };
    return {
      name,
      goal,
      service: [post('/v3/get', body)],
      floor: [post(pathOf(name), body)],
    };
  },
});

/** Enough users that few have more than two pages in the queue. */
const WRITERS = Array.from({ length: 4000 }, (_, at) => String(1000 + at));
let saved = 0;

const compareAdd = {
  name: 'add',
  against: ({ of }) => {
    const credentials = WRITERS.map(of);
    const next = (request) => {
      saved += 1;
      const at = saved % WRITERS.length;
      const body = {
        ...credentials[at],
        url: `https://example.com/saved/${saved}`,
        title: 'Saved',
      };
      return request.path.startsWith('/add')
        ? { ...request, path: `/add?user=${WRITERS[at]}`, body: JSON.stringify(body) }
        : { ...request, body: JSON.stringify(body) };
    };
    const begin = (path) => [{ ...post(path, {}), setupRequest: next }];
    return { name: 'add', goal: '50 %', service: begin('/v3/add'), floor: begin('/add') };
  },
};

/** Repeats the same call for an unchanged list. */
const AGAIN = GETS.filter(({ filter }) => filter.since === undefined).map((get) => {
  const name = `${get.name}, again`;
  const { against } = compareGet(get);
  return { name, isAgain: true, against: (admission) => ({ ...against(admission), name }) };
});

export const SHAPES = [...GETS.map(compareGet), compareAdd, ...AGAIN];

/** Captures the statement of each get, keyed by the floor's path. */
export async function statementsOf(url) {
  const dataSource = await new DataSource({
    ...dataSourceOptions({ url }, 1),
    entities: ENTITIES,
  }).initialize();
  const statements = {};
  for (const { name, user, filter } of GETS) {
    const query = new ItemQuery(dataSource.manager, USERS[user]);
    const run = query.rows.bind(query);
    query.rows = (statement) => {
      statements[pathOf(name)] = statement;
      return run(statement);
    };
    const head = await ListRepository.in(dataSource.manager).summary(USERS[user]);
    // Pretends that the list has changed. The floor has no list version that would let it skip the query.
    await query.find({ filter, page: PAGE, order: 'newest' }, { ...head, version: Infinity });
  }
  await dataSource.destroy();
  return statements;
}
