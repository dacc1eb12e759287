// A running Karakeep, over its REST API. Karakeep has no delta, and searches only with Meilisearch.
import { itemOf, newItem, TAG, WORD } from './items.mjs';

export function karakeepAt(address, key, pid) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ids = [];
  let tagId;
  const path = (rest) => `/api/v1${rest}`;
  const send = (method, rest, body) => [
    path(rest),
    { method, headers, body: JSON.stringify(body) },
  ];
  const get = (rest) => [path(rest), { headers }];
  const save = ({ url, title }) => send('POST', '/bookmarks', { type: 'link', url, title });
  return {
    name: 'Karakeep',
    address,
    pids: () => (pid === '' ? undefined : [Number(pid)]),
    async fill(items, ask) {
      for (let at = 0; at < items; at += 1) {
        const item = itemOf(at);
        const { id } = await ask(save(item));
        ids.push(id);
        const tags = item.tags.map((tagName) => ({ tagName }));
        if (tags.length > 0) await ask(send('POST', `/bookmarks/${id}/tags`, { tags }));
      }
      const { tags } = await ask(get(`/tags?nameContains=${TAG}`));
      tagId = tags.find(({ name }) => name === TAG).id;
    },
    calls: {
      page: () => get('/bookmarks?limit=30'),
      tag: () => get(`/tags/${tagId}/bookmarks?limit=30`),
      search: () => get(`/bookmarks/search?q=${WORD}&limit=30`),
      add: (at) => save(newItem(at)),
      archive: (at) => send('PATCH', `/bookmarks/${ids[at % ids.length]}`, { archived: true }),
    },
  };
}
