// The compared writes. The service and the fair floor get the same body, and the bare floor gets its values in the path.
/** Users that add items. Enough of them that few have more than two pages in the queue. */
const WRITERS = Array.from({ length: 4000 }, (_, at) => String(1000 + at));

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
        values: { user: WRITERS[at], url },
      };
    };
    const goals = { goal: '60 %', bareGoal: '45 %' };
    return { name, connections, ...goals, isIndexed: true, ...requestsOf('/add', next) };
  },
});

export const WRITES = [compareAdd('add'), compareAdd('add, one connection', 1)];
