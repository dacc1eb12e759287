// The compared writes. The service and the fair floor get the same body, and the bare floor gets its values in the path.
import pg from 'pg';

/** Users that add items. Enough of them that few have more than two pages in the queue. */
const WRITERS = Array.from({ length: 4000 }, (_, at) => String(1000 + at));

const UNREAD = `
  SELECT user_id AS user, (array_agg(item_id))[1:3] AS ids FROM items JOIN lists USING (user_id)
  WHERE item_count BETWEEN 3 AND 1000 AND status = 0 GROUP BY user_id HAVING count(*) > 2
  ORDER BY user_id DESC LIMIT 4000`;

/** Returns users with short lists, and three unread items of each. */
export async function unreadItems(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(UNREAD);
  await client.end();
  return rows;
}

export const post = (path, members) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(members),
});

const SIDES = ['service', 'bare', 'fair'];

/** Returns the requests of each side. `next` returns the next change of a side, which differs from all changes before. */
const requestsOf = (path, next) =>
  Object.fromEntries(
    SIDES.map((side) => {
      const begin = post(side === 'service' ? `/v3${path}` : path, {});
      const setupRequest = (request) => {
        const { credentials, body, values } = next(side);
        const query = side === 'bare' ? `?${new URLSearchParams(values)}` : '';
        return {
          ...request,
          path: `${begin.path}${query}`,
          body: JSON.stringify({ ...credentials, ...body }),
        };
      };
      return [side, [{ ...begin, setupRequest }]];
    }),
  );

let saved = 0;

const compareAdd = (name, connections) => ({
  name,
  against: ({ of }) => {
    const credentials = WRITERS.map(of);
    const next = () => {
      saved += 1;
      const at = saved % WRITERS.length;
      const url = `https://example.com/saved/${saved}`;
      return {
        credentials: credentials[at],
        body: { url, title: 'Saved' },
        values: { user: WRITERS[at], url, title: 'Saved' },
      };
    };
    const goals = { goal: '60 %', bareGoal: '45 %' };
    return { name, connections, ...goals, isIndexed: true, ...requestsOf('/add', next) };
  },
});

/** Changes one item of each user in turn, another item on each side. `actionOf` returns the action of a pass. */
const compareAction = (name, actionOf) => ({
  name,
  against: ({ of, unread }) => {
    const credentials = unread.map(({ user }) => of(user));
    const made = { service: 0, bare: 0, fair: 0 };
    const next = (side) => {
      const at = made[side] % unread.length;
      const action = {
        ...actionOf(Math.floor(made[side] / unread.length)),
        item_id: unread[at].ids[SIDES.indexOf(side)],
      };
      made[side] += 1;
      return {
        credentials: credentials[at],
        body: { actions: [action] },
        values: { user: unread[at].user, ...action },
      };
    };
    return { name, goal: '50 %', ...requestsOf('/send', next) };
  },
});

export const WRITES = [
  compareAdd('add'),
  compareAdd('add, one connection', 1),
  compareAction('archive', (pass) => ({ action: ['archive', 'readd'][pass % 2] })),
  compareAction('tag', (pass) => ({ action: 'tags_add', tags: `pass ${pass}` })),
];
