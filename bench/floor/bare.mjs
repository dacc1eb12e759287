// The bare floor, the minimum work of a server: node:http and pg. It reads the user, the address and the action from the
// path of a request, and checks neither credentials nor parameters.
//   DATABASE_URL=… NAME=bare FIRST_ID=… STATEMENTS='{"/path": {"text", "values"}}' node bench/floor/bare.mjs
import { createServer } from 'node:http';

import { act, add, pageOf } from './lists.mjs';

function answerOf({ pathname, searchParams }) {
  const { user, ...values } = Object.fromEntries(searchParams);
  if (pathname === '/add') return add(user, values);
  return pathname === '/send' ? act(user, values) : pageOf(pathname);
}

const server = createServer((request, response) => {
  request.resume().on('end', async () => {
    const body = await answerOf(new URL(request.url, 'http://floor'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
