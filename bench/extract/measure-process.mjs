// Runs one candidate: node measure-process.mjs NAME OPTIONS-AS-JSON.
import { measure } from './measure.mjs';

const [name, options] = process.argv.slice(2);
process.send(await measure(name, JSON.parse(options)), () => process.exit(0));
