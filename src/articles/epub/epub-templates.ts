import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import { escapedXml } from '../../lib/util/xml.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

/** An entry of the table of contents. */
export interface ContentsEntry {
  readonly href: string;
  readonly title: string;
}

interface ManifestItem {
  readonly id: string;
  readonly href: string;
}

/** The view models of the templates for the files of a book. */
interface EpubViews {
  readonly container: object;
  readonly style: object;
  readonly chapter: {
    readonly title: string;
    readonly language: string | undefined;
    readonly isRightToLeft: boolean;
    readonly facts: readonly string[];
    /** The URI of the original page. Undefined if the address of the page is not a valid URI. */
    readonly source: string | undefined;
    readonly address: string;
    /** The path of the picture above the text of the chapter. */
    readonly picture: string | undefined;
    /** The reason why the chapter has no text, which the chapter shows instead. */
    readonly notice: string | undefined;
    /** The text of the chapter as XHTML, which is inserted without escaping. */
    readonly text: string | undefined;
  };
  readonly nav: {
    readonly title: string;
    readonly notices: readonly string[];
    readonly chapters: readonly ContentsEntry[];
  };
  readonly ncx: {
    readonly identifier: string;
    readonly title: string;
    readonly points: readonly ContentsEntry[];
  };
  readonly package: {
    readonly identifier: string;
    readonly title: string;
    /** The language tags of the book, at least one. */
    readonly languages: readonly string[];
    readonly creators: readonly string[];
    readonly publisher: string | undefined;
    readonly published: string | undefined;
    readonly source: string | undefined;
    readonly subjects: readonly string[];
    readonly modified: string;
    /** The id of the book's cover picture. */
    readonly cover: string | undefined;
    readonly chapters: readonly ManifestItem[];
    readonly pictures: readonly (ManifestItem & { readonly type: string })[];
    readonly hasContents: boolean;
    readonly isRightToLeft: boolean;
  };
}

export type EpubModel<V extends keyof EpubViews> = EpubViews[V];

/** Writes the files of a book. Escapes all values of the templates, and removes characters that XML forbids. */
@Injectable()
export class EpubTemplates {
  private readonly eta = new Eta({
    views: VIEWS_FOLDER,
    cache: true,
    autoEscape: true,
    escapeFunction: escapedXml,
  });

  write<V extends keyof EpubViews>(view: V, model: EpubViews[V]): string {
    return this.eta.render(`./${view}`, model);
  }
}
