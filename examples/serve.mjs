// Serves the example site, and the example web client at /web-client/, on loopback until stopped.
//   npm run example-site [-- PORT]
import { fileURLToPath } from 'node:url';

import express from 'express';

const [port = '8080'] = process.argv.slice(2);
const [site, webClient] = ['site', 'web-client'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

const server = express()
  .disable('x-powered-by')
  .use(express.static(site))
  .use('/web-client', express.static(webClient))
  .listen(Number(port), '127.0.0.1', (error) => {
    if (error) {
      console.error(error.message);
      process.exitCode = 1;
      return;
    }
    const { port: listening } = server.address();
    console.log(`The example site is at http://127.0.0.1:${listening}/`);
    console.log(`The example of a web client is at http://127.0.0.1:${listening}/web-client/`);
  });
