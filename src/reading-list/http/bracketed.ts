import { MalformedBodyError } from '../../common/common.errors.js';
import { MAX_PAIRS, type Pair } from './form-pairs.js';

const MAX_DEPTH = 5;
const PLAIN_NAME_AND_BRACKETS = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;
const INDEX = /^\d{1,15}$/;

type Tree = Map<string, string | Tree>;

/**
 * The members that a form spells: `actions[0][action]=archive` is an array of objects, other names are text.
 * Of two fields with one name the last counts, as in JSON.
 */
export function membersOf(pairs: readonly Pair[]): Record<string, unknown> {
  const tree: Tree = new Map();
  for (const [name, value] of pairs) {
    put(tree, pathOf(name), value);
  }
  return objectOf(tree);
}

function pathOf(name: string): readonly string[] {
  const [, plainName, brackets] = PLAIN_NAME_AND_BRACKETS.exec(name) ?? [];
  if (plainName === undefined || brackets === undefined) {
    return [name];
  }
  const path = [plainName, ...brackets.slice(1, -1).split('][', MAX_DEPTH)];
  if (path.length > MAX_DEPTH) {
    throw new MalformedBodyError(`A member is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return path;
}

function put(tree: Tree, path: readonly string[], value: string): void {
  let branch = tree;
  for (const [depth, name] of path.entries()) {
    // `tags[]` appends, behind every index that is given.
    const key = name === '' && depth > 0 ? String(MAX_PAIRS + branch.size) : name;
    if (depth === path.length - 1) {
      branch.set(key, value);
      return;
    }
    branch = branchAt(branch, key);
  }
}

function branchAt(tree: Tree, key: string): Tree {
  const found = tree.get(key);
  if (found instanceof Map) {
    return found;
  }
  const branch: Tree = new Map();
  tree.set(key, branch);
  return branch;
}

/** Gaps in the indices close: `actions[7]` alone is an array of one. */
function valueOf(node: string | Tree): unknown {
  if (typeof node === 'string') {
    return node;
  }
  const isArray = [...node.keys()].every((key) => INDEX.test(key));
  return isArray
    ? [...node].sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => valueOf(child))
    : objectOf(node);
}

const objectOf = (tree: Tree): Record<string, unknown> =>
  Object.fromEntries(Array.from(tree, ([name, node]) => [name, valueOf(node)]));
