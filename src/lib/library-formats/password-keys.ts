import { isPasswordName } from './password-names.js';
import { type JsonCollector, JsonReader } from './reading/json-reader.js';
import { isBlank } from './reading/members.js';

/**
 * Keys whose values are objects with arbitrary keys. Pocket's `tags` have keys that users choose, and wallabag's
 * `headers` have keys that web servers choose.
 */
const FREE_KEYS: ReadonlySet<string> = new Set(['tags', 'headers']);
const MAX_DEPTH = 64;

/** Returns true if a key in the beginning of a JSON document means "password" and its value is a text or a number. */
export function hasPasswordKey(text: string): boolean {
  const keys = new KeysWithValues();
  new JsonReader(keys).write(text);
  return [...keys.names].some(isPasswordName);
}

/**
 * Collects those keys of a JSON document whose value is a text or a number. Other values are not passwords: Readeck
 * exports blank passwords, and `true` says nothing.
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
    // Forgets the key at the beginning of a list, because the values in a list have no keys.
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
