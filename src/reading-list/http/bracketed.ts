import { MalformedBodyError, TooManyError } from '../../common/common.errors.js';
import { MAX_NAMES_OF_OBJECT } from '../../common/http/text-gate.js';
import { MAX_PAIRS, type Pair } from './form-pairs.js';

const MAX_DEPTH = 5;
/** Five thousand actions, each with three objects or arrays inside, as in JSON (common/http/text-gate.ts). */
const MAX_BRANCHES = 20_000;
/** No more brackets than show that they are too many: a group that repeats for ever overflows the stack. */
const PLAIN_NAME_AND_BRACKETS = /^([^[\]]+)((?:\[[^[\]]*\]){1,5})/;
const INDEX = /^\d{1,15}$/;

type Tree = Map<string, string | Tree>;

/**
 * The members that a form spells: `actions[0][action]=archive` is an array of objects, other names are text.
 * Of two fields with one name the last counts, as in JSON.
 */
export function membersOf(pairs: readonly Pair[]): Record<string, unknown> {
  const form = new Form();
  for (const [name, value] of pairs) {
    form.put(pathOf(name), value);
  }
  return objectOf(form.tree);
}

/** `a[b][]` is `a`, `b` and an empty name; a name with other brackets is a name like any other. */
function pathOf(name: string): readonly string[] {
  const [start, plainName, brackets] = PLAIN_NAME_AND_BRACKETS.exec(name) ?? [];
  if (start === undefined || plainName === undefined || brackets === undefined) {
    return [name];
  }
  const path = [plainName, ...brackets.slice(1, -1).split('][')];
  if (path.length > MAX_DEPTH) {
    throw new MalformedBodyError(`A member is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return start === name ? path : [name];
}

class Form {
  readonly tree: Tree = new Map();
  private branches = 0;

  put(path: readonly string[], value: string): void {
    let branch = this.tree;
    for (const [depth, name] of path.entries()) {
      // `tags[]` appends, behind every index that is given.
      const key = name === '' && depth > 0 ? String(MAX_PAIRS + branch.size) : name;
      if (depth === path.length - 1) {
        branch.set(key, value);
        return;
      }
      branch = this.branchAt(branch, key);
    }
  }

  private branchAt(tree: Tree, key: string): Tree {
    const found = tree.get(key);
    if (found instanceof Map) {
      return found;
    }
    this.branches += 1;
    if (this.branches > MAX_BRANCHES) {
      throw new TooManyError('objects and arrays', MAX_BRANCHES);
    }
    const branch: Tree = new Map();
    tree.set(key, branch);
    return branch;
  }
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

function objectOf(tree: Tree): Record<string, unknown> {
  if (tree.size > MAX_NAMES_OF_OBJECT) {
    throw new TooManyError('names in one object', MAX_NAMES_OF_OBJECT);
  }
  return Object.fromEntries(Array.from(tree, ([name, node]) => [name, valueOf(node)]));
}
