import { decodeHTML } from 'entities';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Returns the visible text of a piece of HTML, with spaces in place of tags. Takes linear time. */
export function markupText(html: string): string {
  const hearer = new TextHearer(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, hearer);
  tokenizer.write(html);
  tokenizer.end();
  return decodeHTML(hearer.parts.join(' '));
}

const SILENT: ReadonlySet<string> = new Set(['script', 'style']);
const NOTHING = (): void => undefined;

class TextHearer implements TokenizerCallbacks {
  readonly parts: string[] = [];
  #silent = false;

  constructor(private readonly html: string) {}

  onopentagname(start: number, end: number): void {
    this.#silent = SILENT.has(this.html.slice(start, end).toLowerCase());
  }

  onclosetag(): void {
    this.#silent = false;
  }

  ontext(start: number, end: number): void {
    if (!this.#silent) {
      this.parts.push(this.html.slice(start, end));
    }
  }

  readonly onattribdata = NOTHING;
  readonly onattribend = NOTHING;
  readonly onattribentity = NOTHING;
  readonly onattribname = NOTHING;
  readonly oncdata = NOTHING;
  readonly oncomment = NOTHING;
  readonly ondeclaration = NOTHING;
  readonly onend = NOTHING;
  readonly onopentagend = NOTHING;
  readonly onprocessinginstruction = NOTHING;
  readonly onselfclosingtag = NOTHING;
  readonly ontextentity = NOTHING;
}
