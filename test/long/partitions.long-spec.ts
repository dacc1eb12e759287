import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The short form of `npm run suite -- partitions`: two users and changes to a list. */
const SHORT = 'test/partitions/|test/e2e/(add|send-tags|tag-moves)\\.e2e';

it('each statement on a list reads only one partition', async () => {
  const words = ['jest', '--config', 'test/config/partitions.mjs', '--testPathPatterns', SHORT];
  const env = { ...process.env, TEST_DATABASE_URL: process.env.TEST_SERVER_URL };

  await promisify(execFile)('npx', words, { env, maxBuffer: 2 ** 26 });
}, 900_000);
