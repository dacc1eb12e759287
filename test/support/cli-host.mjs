// Runs commands of the compiled command line one after another in one process, which spares each of them the
// second that Node needs to load the service. What a command reads and prints goes through messages.
import 'reflect-metadata';

import process from 'node:process';
import { Readable } from 'node:stream';

import { runProgram } from '../../dist/src/cli/program.js';

let last = Promise.resolve();

process.on('message', (command) => {
  last = last.then(() => run(command)).then((answer) => process.send(answer));
});

async function run({ words, input, variables }) {
  const environment = { ...process.env };
  Object.assign(process.env, variables);
  const printed = { stdout: '', stderr: '' };
  const writes = ['stdout', 'stderr'].map((name) => {
    const write = process[name].write;
    process[name].write = (text) => {
      printed[name] += text;
      return true;
    };
    return () => Object.assign(process[name], { write });
  });
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  const code = await runProgram(words);
  writes.forEach((restore) => restore());
  Object.keys(variables).forEach((name) => delete process.env[name]);
  Object.assign(process.env, environment);
  return { code, signal: null, ...printed };
}
