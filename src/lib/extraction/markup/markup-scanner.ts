import type { TokenizerCallbacks } from 'htmlparser2';

import { HeadReader } from './head-reader.js';
import {
  drawnFormula,
  KeptHtml,
  RESUMING,
  SKIPPED,
  UNWRAPPED,
  VOID,
  WITH_BLOCKS,
  writtenFormula,
} from './kept-html.js';
import { mathText } from './math-text.js';
import type { Markup } from './scan-markup.js';
import { TagStack } from './tag-stack.js';

const MAX_ATTRIBUTES = 64;
const MAX_VALUE = 8_192;

const HEAD_TAGS: ReadonlySet<string> = new Set(['html', 'meta', 'link', 'base']);
const EMBEDS: ReadonlySet<string> = new Set('img iframe embed object video audio'.split(' '));
const FORMULA_TAGS: ReadonlySet<string> = new Set(['script', 'annotation']);
const TEX = /^(?:math\/|application\/x-)(?:la)?tex\b/iu;
/** The maximum number of formulas that are converted in a page. Real pages have at most a few hundred. */
const MAX_FORMULAS = 5_000;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NOTHING = (): void => undefined;

/**
 * Collects the visible markup of a page and the data in its head. A tokenizer calls the methods of this class for each
 * tag and text.
 */
export class MarkupScanner implements TokenizerCallbacks {
  readonly #source: string;
  readonly #kept = new KeptHtml();
  readonly #head = new HeadReader();
  readonly #stack = new TagStack();
  #attributes: Map<string, string> | undefined;
  #tag = '';
  #attribute = '';
  #valueStart = -1;
  #valueEnd = -1;
  #tags = 0;
  #links = 0;
  #embeds = 0;
  #nesting = 0;
  #textNesting = 0;
  #skipping = '';
  #collecting: 'title' | 'json' | 'script' | 'formula' | undefined;
  #collected: string[] = [];
  /**
   * The offset in the source of the content of the current `<math>` element. Undefined outside of
   * `<math>`, or if the TeX of the formula has been written instead.
   */
  #mathStart: number | undefined;
  #formulas = 0;

  /**
   * Creates a scanner for `source`. The scanner keeps at most `maxTags` tags, but the text of the
   * whole page. It calls `counting` with the number of scanned tags at each tag.
   */
  constructor(
    source: string,
    private readonly maxTags: number,
    private readonly counting: (tags: number) => void,
  ) {
    this.#source = source;
  }

  get tags(): number {
    return this.#tags;
  }

  result(): Markup {
    const facts = this.#head.facts();
    const open = '<!DOCTYPE html><html><head><title></title></head><body>';
    const html = `${open}${this.#kept.toString()}</body></html>`;
    const { isFlooded } = this.#kept;
    return {
      html,
      facts,
      tags: this.#tags,
      links: this.#links,
      embeds: this.#embeds,
      nesting: this.#nesting,
      textNesting: this.#textNesting,
      isFlooded,
    };
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#source.slice(start, end).toLowerCase();
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#source.slice(start, Math.min(end, start + 64)).toLowerCase();
    this.#valueStart = -1;
    this.#valueEnd = -1;
  }

  onattribdata(start: number, end: number): void {
    this.#valueStart = this.#valueStart < 0 ? start : this.#valueStart;
    this.#valueEnd = end;
  }

  onattribend(): void {
    const length = this.#valueEnd - this.#valueStart;
    this.#attributes ??= new Map();
    if (this.#attributes.size < MAX_ATTRIBUTES && length < MAX_VALUE) {
      const value = length > 0 ? this.#source.slice(this.#valueStart, this.#valueEnd) : '';
      const known = this.#attributes.get(this.#attribute);
      this.#attributes.set(this.#attribute, known ?? value);
    }
  }

  onopentagend(end: number): void {
    this.#open(false, end);
  }

  onselfclosingtag(end: number): void {
    this.#open(true, end);
  }

  ontext(start: number, end: number): void {
    if (this.#collecting) {
      this.#collected.push(this.#source.slice(start, end));
    } else if (this.#skipping === '') {
      this.#text(this.#source.slice(start, end), this.#stack.has('pre'));
    }
  }

  onclosetag(start: number, end: number): void {
    const name = this.#source.slice(start, end).toLowerCase();
    if (this.#collecting) {
      this.#deliver();
    }
    if (this.#skipping !== '') {
      this.#endSkipping(name, start);
      return;
    }
    if (!VOID.has(name) && !UNWRAPPED.has(name) && this.#stack.close(name)) {
      this.#kept.tag(`</${name}>`, name);
    }
  }

  onend(): void {
    this.#deliver();
  }

  #endSkipping(name: string, start: number): void {
    if (this.#skipping !== name) {
      return;
    }
    this.#skipping = '';
    if (this.#mathStart !== undefined && this.#formulas < MAX_FORMULAS) {
      this.#formulas += 1;
      this.#text(mathText(this.#source.slice(this.#mathStart, start - '</'.length)), false);
    }
    this.#mathStart = undefined;
  }

  readonly oncdata = NOTHING;
  readonly oncomment = NOTHING;
  readonly ondeclaration = NOTHING;
  readonly onprocessinginstruction = NOTHING;
  readonly onattribentity = NOTHING;
  readonly ontextentity = NOTHING;

  get #written(): ReadonlyMap<string, string> {
    return this.#attributes ?? NO_ATTRIBUTES;
  }

  #open(selfClosing: boolean, end: number): void {
    if (this.#skipping !== '' && !this.#resumes()) {
      this.#collectFormula();
      return;
    }
    if (HEAD_TAGS.has(this.#tag)) {
      this.#head.tag(this.#tag, this.#written);
    }
    if (this.#tag === 'title') {
      this.#collecting = 'title';
    } else if (SKIPPED.has(this.#tag) && !this.#isShadow()) {
      this.#skip(selfClosing, end);
    } else if (this.#mayStay()) {
      this.#keep(selfClosing);
    }
  }

  /**
   * Writes a tag to the kept markup, or the TeX if the tag is a picture of a formula. Skips the content of an iframe,
   * which browsers do not show.
   */
  #keep(selfClosing: boolean): void {
    const formula = drawnFormula(this.#tag, this.#written);
    if (formula !== '') {
      this.#text(formula, false);
      return;
    }
    this.#kept.open(this.#tag, this.#written);
    if (this.#tag === 'iframe') {
      this.#kept.tag('</iframe>', 'iframe');
      this.#stack.close('iframe');
      this.#skipping = selfClosing ? '' : 'iframe';
    }
  }

  /** Returns true if a `<template>` declares a shadow root. Browsers show the content of such a template. */
  #isShadow(): boolean {
    return this.#tag === 'template' && this.#written.has('shadowrootmode');
  }

  #resumes(): boolean {
    const resumes = !WITH_BLOCKS.has(this.#skipping) && RESUMING.has(this.#tag);
    this.#skipping = resumes ? '' : this.#skipping;
    return resumes;
  }

  #skip(selfClosing: boolean, end: number): void {
    if (this.#tag === 'script') {
      const isLinkedData = /ld\+json/iu.test(this.#written.get('type') ?? '');
      this.#collecting = isLinkedData ? 'json' : 'script';
      this.#collectFormula();
    }
    this.#skipping = selfClosing && this.#tag === 'svg' ? '' : this.#tag;
    this.#mathStart = this.#skipping === 'math' ? end + 1 : undefined;
  }

  /**
   * Starts to collect the TeX of a formula if the current element contains TeX. Pages often include
   * the TeX in addition to a picture or the MathML of a formula.
   */
  #collectFormula(): void {
    const type = this.#written.get(this.#tag === 'script' ? 'type' : 'encoding') ?? '';
    if (FORMULA_TAGS.has(this.#tag) && TEX.test(type)) {
      this.#collecting = 'formula';
    }
  }

  #mayStay(): boolean {
    if (UNWRAPPED.has(this.#tag) || this.#isShadow()) {
      return false;
    }
    if (VOID.has(this.#tag)) {
      return HEAD_TAGS.has(this.#tag) ? this.#written.has('itemprop') : this.#counted();
    }
    return this.#counted() && this.#stack.open(this.#tag);
  }

  #counted(): boolean {
    this.#tags += 1;
    this.#links += this.#tag === 'a' ? 1 : 0;
    this.#embeds += EMBEDS.has(this.#tag) ? 1 : 0;
    this.#nesting += this.#stack.depth;
    this.counting(this.#tags);
    if (this.#tags > this.maxTags) {
      this.#kept.tag('\n', '');
    }
    return this.#tags <= this.maxTags;
  }

  #text(raw: string, isPreformatted: boolean): void {
    this.#textNesting += this.#stack.depth * raw.length;
    this.#kept.text(raw, isPreformatted);
  }

  #deliver(): void {
    const text = this.#collected.join('');
    if (this.#collecting === 'title') {
      this.#head.title(text);
    } else if (this.#collecting === 'json') {
      this.#head.jsonLd(text);
    } else if (this.#collecting === 'script') {
      this.#head.script(text);
    } else if (this.#collecting === 'formula') {
      this.#text(writtenFormula(text), false);
      this.#mathStart = undefined;
    }
    this.#collecting = undefined;
    this.#collected = [];
  }
}
