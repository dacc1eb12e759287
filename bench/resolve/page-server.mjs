// Answers every path with a fixture page. Listens on many addresses of this machine, so that the service sees many
// hosts.
//   node bench/resolve/page-server.mjs COUNT
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const FOLDER = 'test/fixtures/pages';
const pages = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => readFileSync(`${FOLDER}/${name}`));
const hosts = Array.from({ length: Number(process.argv[2]) }, (_, n) => `127.0.9.${n + 1}`);

const serverAt = (host, port) =>
  new Promise((resolve) => {
    const server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(pages[Number(/\d+/.exec(url)?.[0] ?? 0) % pages.length]);
    });
    server.listen(port, host, () => resolve(server.address().port));
  });

const [first, ...others] = hosts;
const port = await serverAt(first, 0);
await Promise.all(others.map((host) => serverAt(host, port)));
console.log(JSON.stringify({ port, hosts }));
