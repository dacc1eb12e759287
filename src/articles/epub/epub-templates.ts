import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import { UserRepository } from '../../auth/user.repository.js';
import { languageOfUser } from '../../auth/user-language.js';
import { isRightToLeft } from '../../lib/util/language-tag.js';
import { escapedXml } from '../../lib/util/xml.js';
import { DEFAULT_LANGUAGE, type Language } from '../../platform/i18n/languages.js';
import type { Message } from '../../platform/i18n/message.js';
import { type Translator, translatorTo } from '../../platform/i18n/translator.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

/** An entry in the table of contents of a book. */
export interface ContentsEntry {
  readonly href: string;
  readonly title: string;
}

interface ManifestItem {
  readonly id: string;
  readonly href: string;
}

/** The values that each template inserts, keyed by template. */
interface EpubViews {
  readonly container: object;
  readonly style: object;
  readonly chapter: {
    readonly title: string;
    readonly language: string | undefined;
    readonly isRightToLeft: boolean;
    readonly facts: readonly string[];
    /** The address of the original page as a valid URI. Undefined if the address cannot be written as a URI. */
    readonly source: string | undefined;
    readonly address: string;
    /** The path of the picture that the chapter shows above its text. */
    readonly picture: string | undefined;
    /** The sentence that the chapter shows in place of a missing article. */
    readonly notice: Message | undefined;
    /** The article as XHTML. The template inserts it without escaping. */
    readonly text: string | undefined;
  };
  readonly nav: {
    readonly title: string;
    /** True if the book lacks some of the requested articles. */
    readonly isCut: boolean;
    readonly chapters: readonly ContentsEntry[];
  };
  readonly ncx: {
    readonly identifier: string;
    readonly title: string;
    readonly hasContents: boolean;
    readonly chapters: readonly ContentsEntry[];
  };
  readonly package: {
    readonly identifier: string;
    readonly title: string;
    /** The tags of the languages in which the articles are written. The list is never empty. */
    readonly languages: readonly string[];
    readonly creators: readonly string[];
    readonly publisher: string | undefined;
    readonly published: string | undefined;
    readonly source: string | undefined;
    readonly subjects: readonly string[];
    readonly modified: string;
    /** The id of the cover picture in the package file. */
    readonly cover: string | undefined;
    readonly chapters: readonly ManifestItem[];
    readonly pictures: readonly (ManifestItem & { readonly type: string })[];
    readonly hasContents: boolean;
    readonly isRightToLeft: boolean;
  };
}

export type EpubModel<V extends keyof EpubViews> = EpubViews[V];

/**
 * Writes the files of a book from templates, with its fixed texts in one language. Each template can use the function
 * `t`, and the variables `language` and `direction`. Escapes all values, and removes characters that XML forbids.
 */
export class BookWriter extends Eta {
  readonly t: Translator['text'];
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';

  constructor(readonly translator: Translator) {
    super({
      views: VIEWS_FOLDER,
      cache: true,
      autoEscape: true,
      escapeFunction: escapedXml,
      functionHeader: 'const { t, language, direction } = this;',
    });
    this.t = translator.text;
    this.language = translator.language;
    this.direction = isRightToLeft(this.language) ? 'rtl' : 'ltr';
  }

  write<V extends keyof EpubViews>(view: V, model: EpubViews[V]): string {
    return this.render(`./${view}`, model);
  }
}

/** Finds the writer of books in the language of a user. */
@Injectable()
export class EpubTemplates {
  private readonly writers = new Map<Language, BookWriter>();

  constructor(private readonly users: UserRepository) {}

  async writerFor(userId: string): Promise<BookWriter> {
    const user = await this.users.findOneBy({ id: userId });
    const language = user === null ? DEFAULT_LANGUAGE : languageOfUser(user);
    const writer = this.writers.get(language) ?? new BookWriter(translatorTo(language));
    this.writers.set(language, writer);
    return writer;
  }
}
