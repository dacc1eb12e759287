// The fair floor: what any server of this API must do, without a framework. It gets the same bodies as the service. It
// parses the body, verifies the token, finds the caller in the database, counts the call and sends the limit headers. A
// poll of an unchanged list ends there. An add also requests the page, and queues the words of the item for full-text
// search.
//   DATABASE_URL=… SECRET=… NAME=fair QUEUE=… FIRST_ID=… STATEMENTS='{"/path": {"text", "values"}}' node bench/floor/fair.mjs
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { callerOf, countCall } from './callers.mjs';
import { act, add, pageOf } from './lists.mjs';
import { QUEUE, storeWords } from './words.mjs';

const REQUEST = `INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn)
  VALUES ($1, $2, $3, $4, $5, 0, 1) ON CONFLICT DO NOTHING`;
const DUE = `INSERT INTO ${QUEUE} (user_id, item_id) VALUES ($1, $2)
  ON CONFLICT (user_id, item_id) DO UPDATE SET marked_at = excluded.marked_at`;

const addWithPage = (user, { url, title }) =>
  add(user, { url, title }, async (run, id) => {
    const key = createHash('sha256').update(url).digest();
    await run('request', REQUEST, [user, id, key, url, new URL(url).hostname]);
    await run('due', DUE, [user, id]);
  });

function answerOf(path, { user_id, stamp, since }, body) {
  if (path === '/add') return addWithPage(user_id, body);
  if (path === '/send') return act(user_id, body.actions[0]);
  if (body.since > Number(stamp)) return { status: 1, complete: 1, list: [], since: Number(since) };
  return pageOf(path);
}

const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const caller = await callerOf(body);
  countCall(response, caller);
  const answer = await answerOf(request.url, caller, body);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
void storeWords();
