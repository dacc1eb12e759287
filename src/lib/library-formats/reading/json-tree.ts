import { collectedParts, type JsonCollector, type JsonError } from './json-reader.js';
import { Members } from './members.js';

/**
 * A folder or bookmark in a tree of bookmarks. In the JSON document, a folder is an object with a list `children`, and
 * a bookmark is an object in such a list.
 */
export interface TreeNode {
  /** The key of the node in the object that contains the node. Empty if a list contains the node. */
  readonly key: string;
  /** The fields of the node, without its children. */
  readonly members: Members;
  /**
   * The number of the folder. The folders of a document have the numbers 0, 1, 2 … in document order. Undefined for a
   * bookmark.
   */
  readonly folder: number | undefined;
  /** The numbers of the folders that contain the node. The outermost folder is the first. */
  readonly folders: readonly number[];
}

interface ObjectLevel {
  readonly kind: 'object';
  readonly ownKey: string;
  readonly members: Members;
  key: string;
  folder: number | undefined;
  /** The total size of the stored values at the beginning of the object. */
  readonly heldBefore: number;
}

type Level =
  | ObjectLevel
  | { readonly kind: 'list'; readonly values: unknown[] }
  | { readonly kind: 'children' };

const CHILDREN = 'children';
/**
 * The maximum depth of a JSON document with a tree of bookmarks. Each folder adds two levels: its object, and its list
 * `children`.
 */
const MAX_DEPTH = 256;
/**
 * The maximum total size of the values that are stored at the same time, in characters. Further values, such as large
 * icons, are dropped.
 */
const MAX_HELD = 4_000_000;
const VALUE_SIZE = 16;
const CONTAINER_SIZE = 128;

/**
 * Yields the folders and bookmarks of a tree. Yields a folder after its contents. If the document has a syntax error,
 * yields the error after the last node.
 */
export const treeNodes = (
  text: AsyncIterable<string>,
): AsyncGenerator<readonly (TreeNode | JsonError)[]> => collectedParts(text, new TreeCollector());

class TreeCollector implements JsonCollector<TreeNode> {
  readonly maxDepth = MAX_DEPTH;
  readonly #levels: Level[] = [];
  readonly #folders: number[] = [];
  #nodes: TreeNode[] = [];
  #folderCount = 0;
  #held = 0;

  takeParts(): readonly TreeNode[] {
    const nodes = this.#nodes;
    this.#nodes = [];
    return nodes;
  }

  onKey(name: string): void {
    const level = this.#levels.at(-1);
    if (level?.kind === 'object') {
      level.key = name;
    }
  }

  onValue(value: string | number | boolean | null): void {
    this.#attach(value, VALUE_SIZE + (typeof value === 'string' ? value.length : 0));
  }

  onOpen(isArray: boolean): void {
    const around = this.#levels.at(-1);
    const ownKey = around?.kind === 'object' ? around.key : '';
    if (!isArray) {
      const members = new Members();
      const heldBefore = this.#held;
      this.#attach(members, CONTAINER_SIZE);
      this.#levels.push({
        kind: 'object',
        ownKey,
        members,
        key: '',
        folder: undefined,
        heldBefore,
      });
    } else if (around?.kind === 'object' && ownKey === CHILDREN) {
      around.folder = this.#folderCount;
      this.#folders.push(this.#folderCount);
      this.#folderCount += 1;
      this.#levels.push({ kind: 'children' });
    } else {
      const values: unknown[] = [];
      this.#attach(values, CONTAINER_SIZE);
      this.#levels.push({ kind: 'list', values });
    }
  }

  onClose(): void {
    const level = this.#levels.pop();
    if (level?.kind === 'children') {
      this.#folders.pop();
    } else if (level?.kind === 'object') {
      this.#closeObject(level);
    }
  }

  #closeObject({ ownKey, members, folder, heldBefore }: ObjectLevel): void {
    const isChild = this.#levels.at(-1)?.kind === 'children';
    if (isChild || folder !== undefined) {
      this.#nodes.push({ key: ownKey, members, folder, folders: [...this.#folders] });
    }
    if (isChild) {
      this.#held = heldBefore;
    }
  }

  #attach(value: unknown, size: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined || level.kind === 'children' || this.#held + size > MAX_HELD) {
      return;
    }
    this.#held += size;
    if (level.kind === 'list') {
      level.values.push(value);
    } else {
      this.#held += level.key.length;
      level.members.set(level.key, value);
    }
  }
}
