import { isPasswordName } from './password-names.js';
import { type JsonCollector, JsonReader } from './reading/json-reader.js';
import { isBlank } from './reading/members.js';

/**
 * Keys of objects whose inner keys are arbitrary: tags of Pocket, which people choose, and headers that wallabag
 * stores, which servers choose.
 */
const FREE_KEYS: ReadonlySet<string> = new Set(['tags', 'headers']);
const MAX_DEPTH = 64;

/**
 * Returns true if the beginning of a JSON document contains a password: a key for passwords with a text or a number as
 * its value.
 */
export function hasPasswordKey(text: string): boolean {
  const keys = new KeysWithValues();
  new JsonReader(keys).write(text);
  return [...keys.names].some(isPasswordName);
}

/**
 * Collects the keys of a JSON document whose value is a text or a number. Other values are not secrets: Readeck exports
 * blank passwords, and `true` is no password.
 */
class KeysWithValues implements JsonCollector<never> {
  readonly maxDepth = MAX_DEPTH;
  readonly names = new Set<string>();
  readonly #keys: string[] = [];
  #key = '';

  onKey(name: string): void {
    this.#key = name;
  }

  onOpen(isArray: boolean): void {
    this.#keys.push(this.#key);
    // Clears the key inside a list, because the values in a list have no keys.
    this.#key = isArray ? '' : this.#key;
  }

  onClose(): void {
    this.#keys.pop();
    this.#key = '';
  }

  onValue(value: string | number | boolean | null): void {
    const isSecret = (typeof value === 'string' && !isBlank(value)) || typeof value === 'number';
    if (isSecret && !this.#keys.some((key) => FREE_KEYS.has(key))) {
      this.names.add(this.#key);
    }
  }

  takeParts(): readonly never[] {
    return [];
  }
}
