// A running linkding, over its REST API. Its delta contains no deleted bookmarks. It may not fetch the pages of added
// bookmarks.
import { itemOf, newItem, TAG, WORD } from './items.mjs';

export function linkdingAt(address, token, pid) {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  const ids = [];
  let since = new Date().toISOString();
  const post = (rest, body) => [
    `/api/bookmarks/${rest}`,
    { method: 'POST', headers, body: JSON.stringify(body ?? {}) },
  ];
  const list = (query) => [`/api/bookmarks/?limit=30&${new URLSearchParams(query)}`, { headers }];
  const save = ({ url, title, tags = [] }) =>
    post('?disable_scraping=1', { url, title, tag_names: tags });
  return {
    name: 'linkding',
    address,
    pids: () => (pid === '' ? undefined : [Number(pid)]),
    async fill(items, ask) {
      for (let at = 0; at < items; at += 1) ids.push((await ask(save(itemOf(at)))).id);
    },
    calls: {
      page: () => list({}),
      tag: () => list({ q: `#${TAG}` }),
      search: () => list({ q: WORD }),
      add: (at) => save(newItem(at)),
      archive: (at) => post(`${ids[at % ids.length]}/archive/`),
      delta: () => {
        const call = list({ modified_since: since });
        since = new Date().toISOString();
        return call;
      },
    },
  };
}
