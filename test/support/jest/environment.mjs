// Where Jest runs a test file: in Node's own global scope, with the variables that the file has set put back when it
// ends. Jest's own environment is another realm of JavaScript for each file, whose `Error`, `Date` and `Function` are not
// those of Node: every library would have to be loaded again for each file, one to two seconds of a processor. In one
// realm `library.mjs` lets all files of a worker share what Node has loaded once: libraries, and the compiled service. What
// is under test/ is loaded for each file as ever, and src/ for each file of the unit tests.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';

import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for the scope of Node itself, for which `vm` has no name. */
const MAIN_CONTEXT = {};

const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options }) => {
  const known = compiled.get(options.filename);
  const isKnown = known?.code === code;
  const cache = isKnown ? { cachedData: known.cachedData } : { produceCachedData: true };
  const context = parsingContext === MAIN_CONTEXT ? {} : { parsingContext };
  const made = compileFunction(code, parameters, { ...options, ...cache, ...context });
  if (!isKnown) compiled.set(options.filename, { code, cachedData: made.cachedData });
  return made;
};

/**
 * Those that a file has used. Jest makes one for each file and keeps it: every promise of a worker would pass its context
 * on in the storages of all files before it, which makes the eightieth file take a quarter longer.
 */
const storages = new Set();
/**
 * What Jest says of the running test or hook, with its functions. The promise of a library that a test is the first to
 * load keeps its context for as long as the worker lives, and with it the application of the test.
 */
const contexts = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...facts) {
  const [context] = facts;
  storages.add(this);
  if (typeof context === 'object' && context !== null && 'test' in context) contexts.add(context);
  return run.apply(this, facts);
};

/** Where libraries keep what the classes of the service declare, which is loaded once. */
const REGISTRIES = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];
const declared = {};

/** Jest puts functions of each file in their place, which would keep all of that file. */
const { exit, getBuiltinModule } = process;

const descriptors = () => Object.getOwnPropertyDescriptors(globalThis);

export default class SharedEnvironment {
  /** Apart from the files of a worker there is the global set-up, whose imports are Node's alone. */
  static isRunning = false;

  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  globals = descriptors();
  variables = { ...process.env };

  constructor({ projectConfig }) {
    this.isOnCompiledService = projectConfig.testEnvironmentOptions.isOnCompiledService === true;
    if (this.isOnCompiledService) Object.assign(globalThis, declared);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    SharedEnvironment.isRunning = true;
  }

  async setup() {
    Error.stackTraceLimit = 100;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = null;
    // One that is used again is enabled by that.
    storages.forEach((storage) => storage.disable());
    storages.clear();
    for (const context of contexts) {
      for (const name of Object.keys(context)) delete context[name];
    }
    contexts.clear();
    // A method of the service that a file has replaced is that of the next file, too.
    this.moduleMocker.restoreAllMocks();
    Object.assign(process, { exit, getBuiltinModule });
    if (this.isOnCompiledService) this.keepDeclared();
    this.restoreGlobals();
    this.restoreVariables();
    SharedEnvironment.isRunning = false;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return MAIN_CONTEXT;
  }

  keepDeclared() {
    for (const name of REGISTRIES) {
      if (name in globalThis) declared[name] = globalThis[name];
    }
  }

  restoreGlobals() {
    const after = descriptors();
    for (const name of Reflect.ownKeys(after)) {
      const before = this.globals[name];
      if (before === undefined && after[name].configurable) {
        delete globalThis[name];
      } else if (before?.configurable && before.value !== after[name].value) {
        Object.defineProperty(globalThis, name, before);
      }
    }
    this.globals = null;
  }

  restoreVariables() {
    for (const name of Object.keys(process.env)) {
      if (!(name in this.variables)) delete process.env[name];
    }
    Object.assign(process.env, this.variables);
  }
}
