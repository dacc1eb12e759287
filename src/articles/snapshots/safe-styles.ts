import { type CSSToken, tokenizer, TokenType } from '@csstools/css-tokenizer';

/** Functions whose strings are addresses. */
const LOADERS = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set']);

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

/**
 * Copies a style sheet without the parts that load something from outside. The result contains no `<` that could begin a
 * tag, because browsers parse the content of a `style` element in a drawing as markup.
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
      const isInLoader = this.open.at(-1) === true;
      this.open.push(isInLoader || LOADERS.has(token[4].value.toLowerCase()));
    } else if (token[0] === TokenType.OpenParen) {
      this.open.push(this.open.at(-1) === true);
    } else if (token[0] === TokenType.CloseParen) {
      this.open.pop();
    }
  }

  /** Returns true for a string that is not an address of another document. */
  private isText(value: string): boolean {
    return this.open.at(-1) !== true || LOCAL.test(value);
  }

  private textOf(token: CSSToken): string {
    if (token[0] === TokenType.URL) {
      return LOCAL.test(token[4].value) ? escaped(token[1]) : NO_URL;
    }
    if (token[0] === TokenType.String) {
      return this.isText(token[4].value) ? escaped(token[1]) : NO_STRING;
    }
    if (token[0] === TokenType.AtKeyword) {
      this.isInImport = token[4].value.toLowerCase() === 'import';
      return this.isInImport ? ' ' : token[1];
    }
    return DROPPED.has(token[0]) ? ' ' : withoutTag(token[1]);
  }
}

/** Writes a single `<`, such as in a media query, so that it begins no tag. */
const withoutTag = (text: string): string => (text === '<' ? '< ' : text);

/** Writes `<` in a string or an address as a CSS escape. */
const escaped = (text: string): string => text.replaceAll('<', String.raw`\3c `);

/** Matches styles that may load something or begin a tag. */
const SUSPECT = /[\\(@<]/;

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
