// Serves the example site on this machine alone, until it is stopped.
//   npm run example-site [-- PORT]
import { fileURLToPath } from 'node:url';

import express from 'express';

const [port = '8080'] = process.argv.slice(2);
const site = fileURLToPath(new URL('site', import.meta.url));

const server = express()
  .disable('x-powered-by')
  .use(express.static(site))
  .listen(Number(port), '127.0.0.1', (error) => {
    if (error) {
      console.error(error.message);
      process.exitCode = 1;
      return;
    }
    console.log(`The example site is at http://127.0.0.1:${server.address().port}/`);
  });
