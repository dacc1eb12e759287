// The Jest environment of a test file. The code runs in Node's own global scope; variables set by the file are restored
// at its end. Jest's own environment creates a JavaScript realm per file, whose `Error`, `Date` and `Function` differ
// from Node's. Every file would load all libraries again, which takes one to two seconds of processor time. In one
// realm, `library.mjs` shares libraries and the compiled service among all files of a worker. Files in test/ are still
// loaded for each test file, and src/ for each unit test file.
import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';

import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Represents Node's own scope, for which `vm` has no object. */
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
 * The storages that a file has used. Jest creates one per file and keeps it. Every promise would copy the storages of
 * all earlier files, which slows the eightieth file down by a quarter.
 */
const storages = new Set();
/**
 * Contexts of the running test or hook, including its functions. If a test is the first to load a library, a promise of
 * that library may keep the context, and so the test's application, as long as the worker lives.
 */
const contexts = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...facts) {
  const [context] = facts;
  storages.add(this);
  if (typeof context === 'object' && context !== null && 'test' in context) contexts.add(context);
  return run.apply(this, facts);
};

/**
 * Where libraries store the decorator metadata of the service's classes. The classes are only loaded once per worker.
 */
const REGISTRIES = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];
const declared = {};

/** Jest replaces these functions for each file. The replacements would keep the file's memory. */
const { exit, getBuiltinModule } = process;

const descriptors = () => Object.getOwnPropertyDescriptors(globalThis);

export default class SharedEnvironment {
  /** False in the global setup, which imports modules through Node. */
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
    // Using a disabled storage enables it again.
    storages.forEach((storage) => storage.disable());
    storages.clear();
    for (const context of contexts) {
      for (const name of Object.keys(context)) delete context[name];
    }
    contexts.clear();
    // Files share the service's classes, so a mocked method would leak into the next file.
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
