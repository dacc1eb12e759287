// What Jest loads instead of a file of node_modules or of the compiled service: the module that Node has loaded, once for
// all files of a worker.
import { createRequire } from 'node:module';
import { types } from 'node:util';

import SharedEnvironment from './environment.mjs';

const LOAD = 'Symbol.for("satchel.loadLibrary")';
const require = createRequire(import.meta.url);

globalThis[Symbol.for('satchel.loadLibrary')] = (path) => {
  const loaded = require(path);
  return types.isModuleNamespaceObject(loaded) ? { __esModule: true, ...loaded } : loaded;
};

export default {
  process: (source) => ({
    code: SharedEnvironment.isRunning
      ? `module.exports = globalThis[${LOAD}](__filename);`
      : source,
  }),
  // An answer depends on nothing of the file, except where it is the file.
  getCacheKey: (source, path) => (SharedEnvironment.isRunning ? LOAD : `${path} ${source.length}`),
};
