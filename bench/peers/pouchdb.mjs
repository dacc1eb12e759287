// PouchDB Server, from npm: documents over CouchDB's protocol. Apps use it to sync lists between devices.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { fromNpm } from './installed.mjs';

const headers = { 'content-type': 'application/json' };
const BATCH = 1000;
/** Sorts documents by time of addition, the order in which the list is read. */
const idOf = (at) => `item:${String(at).padStart(12, '0')}`;
const documentOf = (at) => ({
  ...{ _id: idOf(at), url: `https://site${at}.example/articles/${at}` },
  ...{ title: `How row ${at} came to be`, excerpt: `Excerpt ${at} `.repeat(8), status: 0 },
  ...{ tags: at % 3 === 0 ? ['later', `topic${at % 300}`] : [], added: 1_400_000_000 + at * 97 },
});

let last = { since: 0, revisions: new Map() };

async function posted(address, path, body) {
  const answer = await fetch(`${address}${path}`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  return answer.json();
}

export const pouchdb = {
  name: 'PouchDB Server 4.2.0',
  install: (folder) => ({
    home: fromNpm(join(folder, 'pouchdb'), 'pouchdb-server@4.2.0'),
    data: join(folder, 'pouchdb', 'data'),
  }),
  start({ home, data }, { port }) {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data);
    const started = performance.now();
    const program = join(home, 'node_modules/pouchdb-server/bin/pouchdb-server');
    const options = ['--port', String(port), '--dir', data, '--no-stdout-logs', '--no-color'];
    const child = spawn(process.execPath, [program, ...options], { cwd: data, stdio: 'ignore' });
    return { child, started, pids: () => [child.pid], stop: () => child.kill() };
  },
  /** Fills the database through the protocol, in batches. */
  async fill(address, items) {
    await fetch(`${address}/list`, { method: 'PUT' });
    last = { since: 0, revisions: new Map() };
    for (let first = 0; first < items; first += BATCH) {
      const count = Math.min(BATCH, items - first);
      const docs = Array.from({ length: count }, (_, at) => documentOf(first + at));
      for (const { id, rev } of await posted(address, '/list/_bulk_docs', { docs })) {
        last.revisions.set(id, rev);
      }
    }
    const info = await (await fetch(`${address}/list`)).json();
    last.since = info.update_seq;
  },
  calls: {
    list: () => ['/list/_all_docs?include_docs=true&descending=true&limit=30', {}],
    add: (at) => [
      `/list/${idOf(1_000_000 + at)}`,
      { method: 'PUT', headers, body: JSON.stringify({ ...documentOf(at), _id: undefined }) },
    ],
    update: (at, items) => {
      const id = idOf((at * 7) % items);
      const body = { ...documentOf(at), _id: id, _rev: last.revisions.get(id), status: 1 };
      return [`/list/${id}`, { method: 'PUT', headers, body: JSON.stringify(body) }];
    },
    delta: () => [`/list/_changes?include_docs=true&since=${last.since}`, {}],
  },
  /** Stores the state that a client keeps: revisions and the latest sequence number. */
  heard(call, answer) {
    if (call === 'update') last.revisions.set(answer.id, answer.rev);
    if (call === 'delta') last.since = answer.last_seq;
  },
};
