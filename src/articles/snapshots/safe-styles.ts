import { type CSSToken, tokenizer, TokenType } from '@csstools/css-tokenizer';

/** Functions whose strings are addresses. */
const LOADERS = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set']);

/** Matches functions that insert another value. In a loader, this value could be an address. */
const INSERTING = /^(?:var|attr|env|if|inherit|--.*)$/i;

/** Matches addresses that need no request: data, and elements of the same document. */
const LOCAL = /^\s*(?:data:|#)/i;

const DROPPED: ReadonlySet<TokenType> = new Set([
  TokenType.Comment,
  TokenType.CDO,
  TokenType.BadURL,
  TokenType.BadString,
]);

const NO_STRING = '""';
const NO_URL = 'url()';
const NO_FUNCTION = 'none(';

/**
 * Copies a style sheet without the parts that load something from outside. The result contains no tags and no character
 * references, because browsers parse the content of a `style` element in a drawing as markup.
 */
class StyleCopy {
  private readonly parts: string[] = [];
  /** For each open parenthesis, whether strings in it are addresses. */
  private readonly open: boolean[] = [];
  private isInImport = false;

  add(token: CSSToken): void {
    if (this.isInImport) {
      this.isInImport = ![TokenType.Semicolon, TokenType.OpenCurly].includes(token[0]);
      return;
    }
    this.follow(token);
    this.parts.push(this.textOf(token));
  }

  toString(): string {
    return this.parts.join('');
  }

  private follow(token: CSSToken): void {
    if (token[0] === TokenType.Function) {
      const name = token[4].value.toLowerCase();
      this.open.push(LOADERS.has(name) || (this.isInLoader() && name !== 'type'));
    } else if (token[0] === TokenType.OpenParen) {
      this.open.push(this.isInLoader());
    } else if (token[0] === TokenType.CloseParen) {
      this.open.pop();
    }
  }

  private isInLoader(): boolean {
    return this.open.at(-1) === true;
  }

  /** Returns true for a string that is not an address of another document. */
  private isText(value: string): boolean {
    return !this.isInLoader() || LOCAL.test(value);
  }

  private textOf(token: CSSToken): string {
    switch (token[0]) {
      case TokenType.URL:
        return LOCAL.test(token[4].value) ? escaped(token[1]) : NO_URL;
      case TokenType.String:
        return this.isText(token[4].value) ? escaped(token[1]) : NO_STRING;
      case TokenType.Function:
        return this.isInserting(token[4].value) ? NO_FUNCTION : escaped(token[1]);
      case TokenType.AtKeyword:
        return this.atKeyword(token[1], token[4].value);
      default:
        return otherText(token);
    }
  }

  private atKeyword(text: string, name: string): string {
    this.isInImport = name.toLowerCase() === 'import';
    return this.isInImport ? ' ' : escaped(text);
  }

  /** Returns true for a function in a loader that inserts another value. Its parenthesis is open already. */
  private isInserting(name: string): boolean {
    return this.isInLoader() && INSERTING.test(name);
  }
}

const otherText = ([type, text]: CSSToken): string =>
  DROPPED.has(type) ? ' ' : (ALONE.get(text) ?? escaped(text));

/** Single characters, such as `<` in a media query, with a separator. They begin no tag and no character reference. */
const ALONE: ReadonlyMap<string, string> = new Map([
  ['<', '< '],
  ['&', '&/**/'],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['<', String.raw`\3c `],
  ['&', String.raw`\26 `],
]);

/** Writes `<` and `&` in a name, a string or an address as CSS escapes, also if they have a backslash already. */
const escaped = (text: string): string =>
  text.replaceAll(/\\[^]|[<&]/g, (found) => ESCAPES.get(found.slice(-1)) ?? found);

/** Matches styles that may load something, begin a tag, or contain a character reference. */
const SUSPECT = /[\\(@<&]/;

/** Returns styles that load nothing from outside. */
export function safeStyles(css: string): string {
  if (!SUSPECT.test(css)) {
    return css;
  }
  const copy = new StyleCopy();
  const tokens = tokenizer({ css });
  while (!tokens.endOfFile()) {
    copy.add(tokens.nextToken());
  }
  return copy.toString().replaceAll('< =', '<=');
}
