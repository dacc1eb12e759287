// Jest loads this instead of a file in node_modules or the compiled service. It returns the module that Node loads once
// for all files of a worker.
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
  // The result does not depend on the file, except when the file itself is loaded.
  getCacheKey: (source, path) => (SharedEnvironment.isRunning ? LOAD : `${path} ${source.length}`),
};
