// The compared reads: the client's call, and for the floors the last statement that the service runs for it.
import { DataSource } from 'typeorm';

import { ENTITIES } from '../dist/src/app/schema.js';
import { dataSourceOptions } from '../dist/src/platform/database/data-source.options.js';
import { ListRepository } from '../dist/src/reading-list/list/list.repository.js';
import { ItemQuery } from '../dist/src/reading-list/query/item.query.js';
import { post, WRITES } from './writes.mjs';

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
  },
  {
    name: 'idle delta, 200,000 items',
    user: 'large',
    members: { since: IDLE },
    filter: { since: IDLE },
  },
];

const pathOf = (name) => `/${encodeURIComponent(name)}`;

/** Shares of the processor time of the fair floor. A poll of one connection cannot share statements with others. */
function goalOf({ filter, connections }) {
  if (filter.since === undefined) return '80 %';
  return connections === 1 ? '65 %' : '85 %';
}

const compareGet = (get) => ({
  name: get.name,
  against: ({ of }) => {
    const body = { ...of(USERS[get.user]), ...PAGE, state: 'all', sort: 'newest', ...get.members };
    const floor = [post(pathOf(get.path ?? get.name), body)];
    const { name, connections } = get;
    const service = [post('/v3/get', body)];
    return { name, connections, goal: goalOf(get), service, fair: floor, bare: floor };
  },
});

/** The same calls from one client, which waits for each answer, as in a household. */
const ALONE = GETS.filter(({ name }) => ['get complete', 'idle delta'].includes(name)).map((get) =>
  compareGet({ ...get, name: `${get.name}, one connection`, path: get.name, connections: 1 }),
);

/** Repeats the same call for an unchanged list. */
const AGAIN = GETS.filter(({ filter }) => filter.since === undefined).map((get) => {
  const name = `${get.name}, again`;
  const { against } = compareGet(get);
  const goals = { goal: '', bareGoal: '150 %' };
  return {
    name,
    isAgain: true,
    against: (admission) => ({ ...against(admission), name, ...goals }),
  };
});

export const SHAPES = [...GETS.map(compareGet), ...ALONE, ...WRITES, ...AGAIN];

/** Captures the statement of each get, keyed by the floors' path. */
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
    // Pretends that the list has changed. The bare floor has no list version that would let it skip the query.
    await query.find({ filter, page: PAGE, order: 'newest' }, { ...head, version: Infinity });
  }
  await dataSource.destroy();
  return statements;
}
