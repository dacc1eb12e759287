// Writes the addresses of all modules that the main thread of a process has loaded to the file LOADED_FILES when the
// process ends. A test passes this file to Node with `--import`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const loaded = [];
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url));
  session.post('Debugger.enable');
  process.on('exit', () => writeFileSync(process.env.LOADED_FILES, loaded.join('\n')));
}
